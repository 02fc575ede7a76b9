/* Finds dates in questions, and compares the times of memories with them. */
#include "recall/question_analysis.h"
#include "os/os.h"

#define DAY   ((int64_t)86400000)
#define CYCLE 146097 /* days in 400 years */

/*
 * People tell within days what happened on a day, or last month: a time near the date counts in
 * part.
 */
enum { DAY_BEFORE = 1, DAYS_AFTER = 7 };
#define NEAR_DAY   0.5
#define NEAR_MONTH 0.3
#define YEAR       0.5

#define SOME   5       /* "a few", "the last days" */
#define RECENT 30      /* days that "recently" reaches back */
#define EVER   4000000 /* a day that nothing comes after */

/* ---- the words that tell times ---- */

enum time_kind {
	TIME_NOTHING,     /* looks like a time and is none: "am Morgen" */
	TIME_DAY,         /* value: days from today: "yesterday" is -1 */
	TIME_RECENT,      /* "recently" */
	TIME_SOON,        /* "coming up" */
	TIME_UNIT,        /* value: an enum time_unit */
	TIME_NUMBER,      /* in words; value: the number */
	TIME_WHICH,       /* value: -1 "last", 0 "this", 1 "next"; before what it is about */
	TIME_WHICH_AFTER, /* the same behind it: "semana pasada" */
	TIME_AGO,         /* value: -1 "three days ago", 1 "from now"; behind the number */
	TIME_UNIT_AGO,    /* without a number; value: the unit */
	TIME_IN, /* the same as TIME_AGO before the number: "vor drei Tagen", "через три дня" */
	TIME_SINCE,       /* value: 0 from the beginning of a time ("since May"), 1 from its end */
	TIME_SINCE_AFTER, /* the same behind it */
	TIME_UNTIL,       /* value: 0 until the end of a time, 1 until its beginning ("before") */
	TIME_UNTIL_AFTER,
	TIME_ON,      /* before a day of the week */
	TIME_WEEKDAY, /* value: 0 Sunday to 6 Saturday */
	TIME_MONTH,   /* value: 1 to 12, or one of the two below more */
	TIME_AT,      /* before a month: "in" */
	TIME_ARTICLE, /* may stand between two of the others */
	TIME_OF_YEAR, /* behind a year: "2023 года" */
};
enum time_unit { UNIT_DAY, UNIT_WEEK, UNIT_MONTH, UNIT_YEAR, UNIT_WEEKEND, UNIT_DAYS };
/* TIME_UNSURE: a month that is another word, too: "may". TIME_SHORT: "jan", also a name. */
enum { TIME_UNSURE = 16, TIME_SHORT = 32 };

struct time_word {
	struct str text;
	enum time_kind kind;
	int value;
	struct time_word *next; /* of the same first byte */
};

/*
 * A question as the table reads it: its words, and the characters of runs without blanks. word:
 * the first word of the list that has it; last: the last one.
 */
struct time_atom {
	struct str text;
	size_t word, last;
	bool run;
};
struct time_atoms {
	struct time_atom *p;
	size_t n, cap;
	struct time_word *first[256]; /* words of the table by their first byte */
};

/*
 * Words as words_read() folds them: small letters without diacritics ("février" is "fevrier"). A
 * line holds words of one meaning, separated by "|"; words of several parts have blanks as a
 * question has them.
 */
static const struct {
	enum time_kind kind;
	int value;
	const char *words;
} table[] = {
	{TIME_NOTHING, 0,
	 "am morgen|jeden morgen|guten morgen|por la manana|de la manana|cada manana"},
	{TIME_DAY, 0,
	 "today|tonight|this morning|this afternoon|this evening|heute|heute morgen|heute abend|"
	 "сегодня|aujourd hui|ce matin|ce soir|hoy|esta manana|esta tarde|esta noche|今天|今日|"
	 "今晚|今朝|今夜"},
	{TIME_DAY, -1,
	 "yesterday|last night|gestern|gestern morgen|gestern abend|вчера|hier|hier soir|ayer|"
	 "anoche|昨天|昨日|昨晚|昨夜|きのう"},
	{TIME_DAY, -2,
	 "day before yesterday|vorgestern|позавчера|avant hier|anteayer|antes de ayer|前天|一昨日|"
	 "おととい"},
	{TIME_DAY, 1, "tomorrow|morgen|завтра|demain|manana|明天|明日|あした"},
	{TIME_DAY, 2,
	 "day after tomorrow|ubermorgen|послезавтра|apres demain|pasado manana|后天|後天|明後日|"
	 "あさって"},
	{TIME_RECENT, 0,
	 "recently|lately|vor kurzem|kurzlich|neulich|letztens|in letzter zeit|недавно|recemment|ces derniers "
	 "temps|recientemente|ultimamente|最近|近来|このごろ|この頃"},
	{TIME_SOON, 0,
	 "coming up|upcoming|soon|demnachst|bald|bevorstehend|bevorstehende|bevorstehenden|скоро|"
	 "предстоит|предстоящие|предстоящих|bientot|a venir|prochainement|proximamente|pronto|"
	 "即将|不久|もうすぐ|まもなく"},
	{TIME_UNIT, UNIT_DAY, "day|tag|день|дня|jour|dia|天|日間|日"},
	{TIME_UNIT, UNIT_DAYS, "days|tage|tagen|дней|дни|днях|jours|dias"},
	{TIME_UNIT, UNIT_WEEK,
	 "week|weeks|woche|wochen|неделя|недели|неделе|неделю|недель|неделях|semaine|semaines|"
	 "semana|semanas|周|週|星期|个星期|個星期|礼拜|週間"},
	{TIME_UNIT, UNIT_MONTH,
	 "month|months|monat|monats|monate|monaten|месяц|месяца|месяце|месяцев|месяцы|mois|mes|"
	 "meses|月|个月|個月|ヶ月|か月|カ月|ヵ月|ヶ月間|か月間"},
	{TIME_UNIT, UNIT_YEAR,
	 "year|years|jahr|jahre|jahren|jahres|год|года|году|годов|лет|an|ans|annee|annees|ano|"
	 "anos|年|年間"},
	{TIME_UNIT, UNIT_WEEKEND,
	 "weekend|wochenende|выходные|выходных|week end|fin de semana|周末|週末"},
	{TIME_NUMBER, 1, "a|an|one|ein|eine|einem|einer|einen|eines|один|одну|одна|un|une|una|一"},
	{TIME_NUMBER, 2, "two|a couple of|couple of|zwei|два|две|двух|deux|dos|二|两|兩"},
	{TIME_NUMBER, 3, "three|drei|три|трех|trois|tres|三"},
	{TIME_NUMBER, 4, "four|vier|четыре|четырех|quatre|cuatro|四"},
	{TIME_NUMBER, 5, "five|funf|пять|пяти|cinq|cinco|五"},
	{TIME_NUMBER, 6, "six|sechs|шесть|шести|seis|六"},
	{TIME_NUMBER, 7, "seven|sieben|семь|семи|sept|siete|七"},
	{TIME_NUMBER, 8, "eight|acht|восемь|восьми|huit|ocho|八"},
	{TIME_NUMBER, 9, "nine|neun|девять|девяти|neuf|nueve|九"},
	{TIME_NUMBER, 10, "ten|zehn|десять|десяти|dix|diez|十"},
	{TIME_NUMBER, SOME,
	 "few|a few|several|some|ein paar|paar|einige|einigen|wenigen|несколько|нескольких|"
	 "quelques|plusieurs|algunos|algunas|unos|unas|pocos|pocas|几|幾|数"},
	{TIME_NUMBER, 12, "twelve|zwolf|двенадцать|двенадцати|douze|doce"},
	{TIME_NUMBER, 14, "fourteen|vierzehn|четырнадцать|четырнадцати|quatorze|catorce"},
	{TIME_NUMBER, 30, "thirty|dreissig|тридцать|тридцати|trente|treinta"},
	{TIME_WHICH, -1,
	 "last|past|previous|letzte|letzten|letzter|letztes|letztem|vergangene|vergangenen|"
	 "vergangener|vergangenes|vorige|vorigen|voriger|voriges|прошлый|прошлой|прошлом|прошлую|"
	 "прошлого|прошлая|прошлые|прошлых|прошлое|последний|последние|последних|последнюю|"
	 "последней|последнего|dernier|derniere|derniers|dernieres|ultimo|ultima|ultimos|ultimas|"
	 "pasado|pasada|pasados|上|上个|上個|过去|過去|過去の|最近|先|昨|去|ここ"},
	{TIME_WHICH, 0,
	 "this|diese|dieser|dieses|diesen|diesem|этот|этой|этом|эту|эти|ce|cet|cette|ces|este|"
	 "esta|estos|estas|这|這|这个|這個|本|今|この"},
	{TIME_WHICH, 1,
	 "next|coming|nachste|nachsten|nachster|nachstes|nachstem|kommende|kommenden|kommender|"
	 "kommendes|следующий|следующей|следующем|следующую|следующие|следующих|следующего|"
	 "ближайшие|ближайших|будущей|будущем|prochain|prochaine|prochains|prochaines|proximo|"
	 "proxima|proximos|proximas|下|下个|下個|未来|未來|接下来|接下來|来|明|今後|今後の|"
	 "次の"},
	{TIME_WHICH_AFTER, -1,
	 "dernier|derniere|derniers|dernieres|passe|passee|passes|passees|pasado|pasada|pasados|"
	 "pasadas"},
	{TIME_WHICH_AFTER, 1,
	 "prochain|prochaine|prochains|prochaines|proximo|proxima|proximos|proximas|que viene|"
	 "que vienen|qui vient|qui viennent"},
	{TIME_AGO, -1, "ago|back|назад|тому назад|atras|前|之前|以前|まえ"},
	{TIME_AGO, 1, "from now|后|後|之后|之後|以后|以後"},
	{TIME_UNIT_AGO, UNIT_DAY, "день назад"},
	{TIME_UNIT_AGO, UNIT_WEEK, "неделю назад"},
	{TIME_UNIT_AGO, UNIT_MONTH, "месяц назад"},
	{TIME_UNIT_AGO, UNIT_YEAR, "год назад"},
	{TIME_IN, -1, "vor|il y a|hace"},
	{TIME_IN, 1, "через|dans|dentro de"},
	{TIME_SINCE, 0, "since|seit|с|со|начиная с|depuis|desde|自从|自|从|從"},
	{TIME_SINCE, 1, "after|nach|после|apres|despues de|despues del"},
	{TIME_SINCE_AFTER, 0, "以来|以來|から|起|开始"},
	{TIME_SINCE_AFTER, 1, "之后|之後|以后|以後"},
	{TIME_UNTIL, 0, "until|till|bis|bis zum|bis zur|до|jusqu a|jusqu au|jusqu en|hasta|直到"},
	{TIME_UNTIL, 1, "before|vor|перед|avant|antes de|antes del"},
	{TIME_UNTIL_AFTER, 0, "まで|为止|為止"},
	{TIME_UNTIL_AFTER, 1, "之前|以前"},
	{TIME_ON, 0, "on|am|в|во|le|el|在|passe|fait|dit"},
	{TIME_WEEKDAY, 0,
	 "sunday|sonntag|воскресенье|воскресенья|dimanche|domingo|星期天|星期日|周日|週日|"
	 "礼拜天|日曜日|日曜"},
	{TIME_WEEKDAY, 1,
	 "monday|montag|понедельник|понедельника|lundi|lunes|星期一|周一|週一|礼拜一|月曜日|"
	 "月曜"},
	{TIME_WEEKDAY, 2,
	 "tuesday|dienstag|вторник|вторника|mardi|martes|星期二|周二|週二|礼拜二|火曜日|火曜"},
	{TIME_WEEKDAY, 3,
	 "wednesday|mittwoch|среда|среду|среды|mercredi|miercoles|星期三|周三|週三|礼拜三|"
	 "水曜日|水曜"},
	{TIME_WEEKDAY, 4,
	 "thursday|donnerstag|четверг|четверга|jeudi|jueves|星期四|周四|週四|礼拜四|木曜日|"
	 "木曜"},
	{TIME_WEEKDAY, 5,
	 "friday|freitag|пятница|пятницу|пятницы|vendredi|viernes|星期五|周五|週五|礼拜五|"
	 "金曜日|金曜"},
	{TIME_WEEKDAY, 6,
	 "saturday|samstag|sonnabend|суббота|субботу|субботы|samedi|sabado|星期六|周六|週六|"
	 "礼拜六|土曜日|土曜"},
	{TIME_MONTH, 1, "january|januar|январь|января|январе|janvier|enero"},
	{TIME_MONTH, 2, "february|februar|февраль|февраля|феврале|fevrier|febrero"},
	{TIME_MONTH, 3, "marz|марте|marzo"},
	{TIME_MONTH, 4, "april|апрель|апреля|апреле|avril|abril"},
	{TIME_MONTH, 5, "мая|мае|mayo"},
	{TIME_MONTH, 6, "june|juni|июнь|июня|июне|juin|junio"},
	{TIME_MONTH, 7, "july|juli|июль|июля|июле|juillet|julio"},
	{TIME_MONTH, 8, "august|август|августа|августе|aout|agosto"},
	{TIME_MONTH, 9, "september|сентябрь|сентября|сентябре|septembre|septiembre"},
	{TIME_MONTH, 10, "october|oktober|октябрь|октября|октябре|octobre|octubre"},
	{TIME_MONTH, 11, "november|ноябрь|ноября|ноябре|novembre|noviembre"},
	{TIME_MONTH, 12, "december|dezember|декабрь|декабря|декабре|decembre|diciembre"},
	{TIME_MONTH, 1 + TIME_SHORT, "jan"},
	{TIME_MONTH, 2 + TIME_SHORT, "feb"},
	{TIME_MONTH, 3 + TIME_SHORT, "mar"},
	{TIME_MONTH, 3 + TIME_UNSURE, "march|mars|март|марта"},
	{TIME_MONTH, 4 + TIME_SHORT, "apr"},
	{TIME_MONTH, 5 + TIME_UNSURE, "may|mai|май"},
	{TIME_MONTH, 6 + TIME_SHORT, "jun"},
	{TIME_MONTH, 7 + TIME_SHORT, "jul"},
	{TIME_MONTH, 8 + TIME_SHORT, "aug"},
	{TIME_MONTH, 9 + TIME_SHORT, "sep|sept"},
	{TIME_MONTH, 10 + TIME_SHORT, "oct|okt"},
	{TIME_MONTH, 11 + TIME_SHORT, "nov"},
	{TIME_MONTH, 12 + TIME_SHORT, "dec|dez"},
	{TIME_AT, 0,
	 "in|by|of|since|until|during|last|next|this|from|before|after|early|late|im|seit|bis|"
	 "letzten|nachsten|в|с|до|en|depuis|avant|apres|de|desde|hasta"},
	{TIME_ARTICLE, 0, "the|der|dem|den|die|des|le|la|les|el|los|las|du|de"},
	{TIME_OF_YEAR, 0, "года|году|год|г"},
};

/* words: without extra words. The result is in the arena. */
static void read_atoms(struct arena *a, const struct word_list *words, struct time_atoms *out)
{
	*out = (struct time_atoms){0};
	for (size_t k = 0; k < ARRAY_SIZE(table); k++)
		for (const char *p = table[k].words; *p;) {
			struct time_word *w = arena_alloc(a, sizeof(*w));
			unsigned char first = (unsigned char)*p;
			size_t n = strcspn(p, "|");

			*w = (struct time_word){
				{p, n}, table[k].kind, table[k].value, out->first[first]};
			out->first[first] = w;
			p += n + (p[n] == '|');
		}
	for (size_t i = 0; i < words->n; i++) {
		const struct word *w = &words->p[i];
		bool run = w->script == WORDS_PAIR || w->script == WORDS_CHAR;
		bool before = i && words->p[i - 1].at.to > w->at.from;
		bool behind = i + 1 < words->n && words->p[i + 1].at.from < w->at.to;
		uint32_t code;
		size_t n = run ? str_utf8_char(w->text.p, w->text.n, &code) : w->text.n;

		/* Pairs overlap: each gives its first character, the last one both. */
		*VEC_PUSH(a, out) = (struct time_atom){str_sub(w->text, 0, n), i - before, i, run};
		if (n < w->text.n && !behind)
			*VEC_PUSH(a, out) =
				(struct time_atom){str_sub(w->text, n, w->text.n), i, i, run};
	}
}

/* How many atoms from i on make up these words; 0: they do not. */
static size_t atoms_make(const struct time_atoms *atoms, size_t i, const char *p, size_t n)
{
	size_t from = i;

	while (n) {
		struct str atom;

		if (i == atoms->n)
			return 0;
		atom = atoms->p[i].text;
		if (!atom.n || atom.n > n || memcmp(atom.p, p, atom.n) != 0)
			return 0;
		p += atom.n;
		n -= atom.n;
		if (n && *p == ' ') {
			p++;
			n--;
		} else if (n && !atoms->p[i].run) {
			return 0;
		}
		i++;
	}
	return i - from;
}

/* ---- days ---- */

/* Days from 1970 to a date of the Gregorian calendar. The formula counts months from March. */
static int64_t day_of(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return y * 365 + y / 4 - y / 100 + y / 400 + in_year - 719468;
}

static int64_t floor_day(int64_t ms)
{
	return ms / DAY - (ms % DAY < 0);
}

static void calendar(int64_t ms, int *year, int *month, int *day)
{
	int64_t days = floor_day(ms);
	int64_t round = days / CYCLE - (days % CYCLE < 0);
	int64_t y = 1970;

	days -= round * CYCLE; /* skip whole cycles of the calendar, so that the loop is short */
	while (day_of(y + 1, 1, 1) <= days)
		y++;
	*month = 1;
	while (*month < 12 && day_of(y, *month + 1, 1) <= days)
		++*month;
	*day = (int)(days - day_of(y, *month, 1)) + 1;
	*year = (int)(y + round * 400);
}

/* The number in w: at most `digits` digits, perhaps with "st", "nd", "rd" or "th". 0: none. */
static int dates_number_of(struct str w, size_t digits)
{
	static const char *const ends[] = {"", "st", "nd", "rd", "th"};
	int n = 0;
	size_t i = 0;

	for (; i < w.n && i < digits && ascii_is_digit(w.p[i]); i++)
		n = n * 10 + (w.p[i] - '0');
	for (size_t k = 0; i && k < (digits > 2 ? 1 : ARRAY_SIZE(ends)); k++)
		if (str_is(str_sub(w, i, w.n), ends[k]))
			return n;
	return 0;
}

static int day_number(struct str w)
{
	int n = dates_number_of(w, 2);

	return n <= 31 ? n : 0;
}

static int year_number(struct str w)
{
	int n = w.n == 4 ? dates_number_of(w, 4) : 0;

	return n >= 1900 && n < 2200 ? n : 0;
}

/* The time at which a day begins for the user. */
static int64_t day_begins(int64_t day)
{
	int64_t wall = day * DAY;

	return wall - os_zone(wall - os_zone(wall));
}

static int64_t day_at(int64_t ms)
{
	return floor_day(ms + os_zone(ms));
}

struct reader {
	struct time_atoms atoms;
	int64_t today; /* day of the user */
	int year, month, day;
};

static struct str dates_word(const struct reader *r, size_t i)
{
	return i < r->atoms.n ? r->atoms.p[i].text : STR("");
}

/* How many atoms from i on are the longest words of this kind; 0: none. value may be NULL. */
static size_t take(const struct reader *r, size_t i, enum time_kind kind, int *value)
{
	const struct time_word *w = NULL;
	size_t longest = 0;

	if (i < r->atoms.n && r->atoms.p[i].text.n)
		w = r->atoms.first[(unsigned char)*r->atoms.p[i].text.p];
	for (; w; w = w->next) {
		size_t took = w->kind == kind ? atoms_make(&r->atoms, i, w->text.p, w->text.n) : 0;

		if (took <= longest)
			continue;
		longest = took;
		if (value)
			*value = w->value;
	}
	return longest;
}

static struct date days(int64_t from, int64_t to)
{
	return (struct date){.from = day_begins(from), .to = day_begins(to), .weight = 1};
}

static struct date relative(int64_t from, int64_t to)
{
	struct date d = days(from, to);

	d.relative = true;
	return d;
}

/* ---- dates of the calendar ---- */

/* "may", "march" and short names ("jan", "mar") are months only beside other words of a date. */
static size_t month_at(const struct reader *r, size_t i, int *month)
{
	struct str left = i ? dates_word(r, i - 1) : STR("");
	size_t n = take(r, i, TIME_MONTH, month);
	bool sure, may;

	if (!n)
		return 0;
	sure = *month < TIME_UNSURE;
	may = *month < TIME_SHORT;
	*month %= TIME_UNSURE;
	return sure || str_is(left, "of") || str_is(left, "de") || day_number(left) ||
			       day_number(dates_word(r, i + n)) ||
			       year_number(dates_word(r, i + n)) ||
			       (may && i && take(r, i - 1, TIME_AT, NULL))
		       ? n
		       : 0;
}

/* A number in digits or in words, of at most three digits. */
static size_t number_at(const struct reader *r, size_t i, int *n)
{
	int more;
	size_t took;

	if ((*n = dates_number_of(dates_word(r, i), 3)))
		return 1;
	took = take(r, i, TIME_NUMBER, n);
	/* Characters for numbers: two and ten is twenty, ten and two is twelve. */
	if (took && r->atoms.p[i].run && *n < 10 && str_is(dates_word(r, i + took), "十")) {
		*n *= 10;
		took++;
	}
	if (took && r->atoms.p[i].run && *n % 10 == 0 &&
	    take(r, i + took, TIME_NUMBER, &more) == 1 && more < 10) {
		*n += more;
		took++;
	}
	return took;
}

static struct date calendar_span(int year, int month, int day)
{
	if (!year)
		return (struct date){.month = month, .day = day, .weight = 1};
	if (!month)
		return (struct date){.from = day_begins(day_of(year, 1, 1)),
				     .to = day_begins(day_of(year + 1, 1, 1)),
				     .weight = YEAR};
	if (day)
		return days(day_of(year, month, day), day_of(year, month, day) + 1);
	return days(day_of(year, month, 1),
		    month < 12 ? day_of(year, month + 1, 1) : day_of(year + 1, 1, 1));
}

/* A number before one of these characters. */
static size_t counted(const struct reader *r, size_t i, const char *unit, const char *other,
		      int most, int *n)
{
	size_t took = number_at(r, i, n);
	struct str w = dates_word(r, i + took);

	if (took && *n >= 1 && *n <= most && (str_is(w, unit) || (other && str_is(w, other))))
		return took + 1;
	*n = 0;
	return 0;
}

/* Reads "2023年5月8日", "2023年5月", "2023年", "5月8日", "5月". */
static size_t han_date(const struct reader *r, size_t i, struct date *out)
{
	int year = year_number(dates_word(r, i)), month = 0, day = 0;
	size_t at = i;

	if (year && !str_is(dates_word(r, i + 1), "年"))
		return 0;
	at += year ? 2 : 0;
	at += counted(r, at, "月", NULL, 12, &month);
	if (month)
		at += counted(r, at, "日", "号", 31, &day);
	if (at > i)
		*out = calendar_span(year, month, day);
	return at - i;
}

/*
 * Reads "8 May 2023", "8th of May", "8 de mayo", "May 8, 2023", "May 2023", "May", "2023-05-08",
 * "2023-05", "2023", "2023 года". Returns the number of atoms; 0: no date.
 */
static size_t calendar_date(const struct reader *r, size_t i, struct date *out)
{
	int day = day_number(dates_word(r, i)), year = year_number(dates_word(r, i)), month;
	size_t at = i, took = han_date(r, i, out);

	if (took)
		return took;
	if (year) {
		int m = dates_number_of(dates_word(r, i + 1), 2),
		    d = day_number(dates_word(r, i + 2));

		m = m <= 12 && dates_word(r, i + 1).n == 2 ? m : 0;
		d = m && dates_word(r, i + 2).n == 2 ? d : 0;
		*out = calendar_span(year, m, d);
		return (size_t)1 + !!m + !!d + (m ? 0 : take(r, i + 1, TIME_OF_YEAR, NULL));
	}
	if (day)
		at += str_is(dates_word(r, i + 1), "of") || str_is(dates_word(r, i + 1), "de") ? 2
											       : 1;
	took = month_at(r, at, &month);
	if (!took)
		return 0;
	at += took;
	if (!day && (day = day_number(dates_word(r, at))))
		at++;
	if (str_is(dates_word(r, at), "de") && year_number(dates_word(r, at + 1)))
		at++;
	if ((year = year_number(dates_word(r, at))))
		at += 1 + take(r, at + 1, TIME_OF_YEAR, NULL);
	*out = calendar_span(year, month, day);
	return at - i;
}

/* ---- times as seen from now ---- */

/* The first day of the month that is n calendar months before now. */
static int64_t months_before(const struct reader *r, int n)
{
	int64_t all = (int64_t)r->year * 12 + r->month - 1 - n;

	return day_of(all / 12, (int)(all % 12) + 1, 1);
}

/* The day, week, month or year that is `ago` units before the present one. */
static struct date unit_span(const struct reader *r, int unit, int ago)
{
	int64_t monday = r->today - (r->today + 3) % 7 - 7 * (int64_t)ago;

	switch (unit) {
	case UNIT_WEEK: return relative(monday, monday + 7);
	case UNIT_WEEKEND: return relative(monday + 5, monday + 7);
	case UNIT_MONTH: return relative(months_before(r, ago), months_before(r, ago - 1));
	case UNIT_YEAR:
		return relative(day_of(r->year - ago, 1, 1), day_of(r->year - ago + 1, 1, 1));
	default: return relative(r->today - ago, r->today - ago + 1);
	}
}

/* The last or next n units: which is -1 or 1. */
static struct date units_span(const struct reader *r, int unit, int n, int which)
{
	int64_t far = n * (int64_t)(unit == UNIT_WEEK ? 7 : 1);

	if (unit == UNIT_MONTH || unit == UNIT_YEAR) {
		int ahead = (unit == UNIT_YEAR ? 12 : 1) * n * which;

		far = which * (months_before(r, -ahead) + r->day - 1 - r->today);
	}
	return which > 0 ? relative(r->today, r->today + far + 1)
			 : relative(r->today - far, r->today + 1);
}

/* The last or next day of the week, never today; which 0: that of this week. */
static struct date weekday_span(const struct reader *r, int weekday, int which)
{
	int64_t past = (r->today + 4 - weekday + 6) % 7 + 1; /* 1970 began on a Thursday */
	int64_t day = which > 0   ? r->today - past + 7 + 7 * (past == 7)
		      : which < 0 ? r->today - past
				  : r->today - (r->today + 3) % 7 + (weekday + 6) % 7;

	return days(day, day + 1);
}

/* Reads what follows "last", "this" or "next": "week", "5 days", "Friday". */
static size_t after_which(const struct reader *r, size_t i, int which, struct date *out)
{
	int n = SOME, unit, weekday;
	size_t took = take(r, i, TIME_WEEKDAY, &weekday), count, units;

	if (took) {
		*out = weekday_span(r, weekday, which);
		return took;
	}
	count = number_at(r, i, &n);
	units = take(r, i + count, TIME_UNIT, &unit);
	if (!units || (unit == UNIT_WEEKEND && count) || (unit == UNIT_DAY && !count))
		return 0;
	*out = count || unit == UNIT_DAYS ? units_span(r, unit, n, which > 0 ? 1 : -1)
					  : unit_span(r, unit, -which);
	return count + units;
}

/* Reads what a number begins: "three days ago", "5 derniers jours". */
static size_t after_number(const struct reader *r, size_t i, struct date *out)
{
	int n, unit, which;
	size_t count = number_at(r, i, &n), took, units, ago;

	if (!count)
		return 0;
	took = take(r, i + count, TIME_WHICH, &which);
	units = take(r, i + count + took, TIME_UNIT, &unit);
	if (!units || unit == UNIT_WEEKEND)
		return 0;
	if (took) {
		*out = units_span(r, unit, n, which > 0 ? 1 : -1);
		return count + took + units;
	}
	ago = take(r, i + count + units, TIME_AGO, &which);
	if (ago)
		*out = unit_span(r, unit, -which * n);
	return ago ? count + units + ago : 0;
}

/* Reads what a unit or a day of the week begins: "semaine derniere", "lunes pasado". */
static size_t before_which(const struct reader *r, size_t i, struct date *out)
{
	int unit, weekday, which;
	size_t day = take(r, i, TIME_WEEKDAY, &weekday), took;
	size_t n = day ? day : take(r, i, TIME_UNIT, &unit);

	took = n ? take(r, i + n, TIME_WHICH_AFTER, &which) : 0;
	if (!took || (!day && (unit == UNIT_DAY || unit == UNIT_DAYS)))
		return 0;
	*out = day ? weekday_span(r, weekday, which) : unit_span(r, unit, -which);
	return n + took;
}

/* Reads "vor drei Tagen", "il y a un mois", "через неделю". */
static size_t after_in(const struct reader *r, size_t i, struct date *out)
{
	int n = 1, unit, which;
	size_t in = take(r, i, TIME_IN, &which), count, units;

	if (!in)
		return 0;
	count = number_at(r, i + in, &n);
	n = count ? n : 1;
	units = count || which > 0 ? take(r, i + in + count, TIME_UNIT, &unit) : 0;
	if (!units || unit == UNIT_WEEKEND)
		return 0;
	*out = unit_span(r, unit, -which * n);
	return in + count + units;
}

/* Reads a time that is told as seen from now. Returns the number of atoms; 0: none. */
static size_t relative_date(const struct reader *r, size_t i, struct date *out)
{
	int value;
	size_t n, took;

	if ((n = take(r, i, TIME_DAY, &value)))
		*out = relative(r->today + value, r->today + value + 1);
	else if ((n = take(r, i, TIME_UNIT_AGO, &value)))
		*out = unit_span(r, value, 1);
	if (n || (n = before_which(r, i, out)) || (n = after_number(r, i, out)) ||
	    (n = after_in(r, i, out)))
		return n;
	if ((n = take(r, i, TIME_WHICH, &value)) && (took = after_which(r, i + n, value, out)))
		return n + took;
	if ((n = take(r, i, TIME_RECENT, NULL)))
		*out = relative(r->today - RECENT, r->today + 1);
	else if ((n = take(r, i, TIME_SOON, NULL)))
		*out = relative(r->today, EVER);
	return n;
}

/* From, or until, the beginning or end of a time. "Until" a time to come begins today. */
static void open_date(const struct reader *r, struct date *d, bool since, bool other)
{
	int64_t today = day_begins(r->today), from, to;

	if (d->month) {
		struct date past = calendar_span(r->year, d->month, d->day);

		/* A month or day of any year becomes its last one. */
		*d = past.from > day_begins(r->today) ? calendar_span(r->year - 1, d->month, d->day)
						      : past;
	}
	from = d->from;
	to = d->to;
	d->weight = 1;
	d->from = since ? (other ? to : from) : from > today ? today : day_begins(-EVER);
	d->to = since ? day_begins(r->today + 1) : other ? from : to;
	if (since && d->to <= d->from) /* "after tomorrow" */
		d->to = day_begins(EVER);
}

/* Reads a time with "since", "until", "on" before it, or the like behind it. */
static size_t dated(const struct reader *r, size_t i, struct date *out)
{
	int other = 0, weekday;
	size_t n = relative_date(r, i, out), since, until, before;

	if (n)
		return n;
	since = take(r, i, TIME_SINCE, &other);
	until = since ? 0 : take(r, i, TIME_UNTIL, &other);
	before = since + until;
	before += before && take(r, i + before, TIME_ARTICLE, NULL) == 1;
	n = relative_date(r, i + before, out);
	n = n ? n : calendar_date(r, i + before, out);
	if (!n && (before || r->atoms.p[i].run) &&
	    (n = take(r, i + before, TIME_WEEKDAY, &weekday))) {
		until += take(r, i + n, TIME_UNTIL_AFTER, NULL);
		*out = weekday_span(r, weekday, until ? 1 : -1);
	}
	if (n && before)
		open_date(r, out, since, other);
	return n ? before + n : 0;
}

/* "On Tuesday" is the last one, today included; or, with less weight, the next one. */
static size_t on_weekday(const struct reader *r, size_t i, struct dates *out)
{
	int weekday;
	size_t on = take(r, i, TIME_ON, NULL), n = on ? take(r, i + on, TIME_WEEKDAY, &weekday) : 0;

	if (!n || out->n + 2 > DATES_MAX || take(r, i + on + n, TIME_WHICH_AFTER, NULL))
		return 0;
	out->p[out->n] = weekday_span(r, weekday, -1);
	out->p[out->n + 1] = weekday_span(r, weekday, 1);
	if (day_at(out->p[out->n].from) == r->today - 7)
		out->p[out->n] = days(r->today, r->today + 1);
	out->p[out->n + 1].weight = YEAR;
	out->n += 2;
	return on + n;
}

/* Reads "8.5.2023" and "5/8/2023": the day comes first or the month, where both are possible. */
static size_t date_of_numbers(const struct reader *r, size_t i, struct dates *out)
{
	const int one = day_number(dates_word(r, i)), other = day_number(dates_word(r, i + 1)),
		  year = year_number(dates_word(r, i + 2));
	const bool day_first = other <= 12, month_first = one <= 12 && one != other;

	if (!one || !other || !year || out->n + 2 > DATES_MAX)
		return 0;
	if (day_first)
		out->p[out->n++] = calendar_span(year, other, one);
	if (month_first)
		out->p[out->n++] = calendar_span(year, one, other);
	return day_first || month_first ? 3 : 0;
}

/* "...以来", "...まで" behind a time. */
static size_t open_behind(const struct reader *r, size_t i, struct date *d)
{
	int other;
	size_t since = take(r, i, TIME_SINCE_AFTER, &other);
	size_t n = since ? since : take(r, i, TIME_UNTIL_AFTER, &other);

	if (n)
		open_date(r, d, since, other);
	return n;
}

void question_find_dates(struct arena *a, const struct word_list *words, int64_t now,
			 struct dates *out)
{
	struct reader r = {.today = day_at(now)};

	*out = (struct dates){0};
	calendar(now + os_zone(now), &r.year, &r.month, &r.day);
	read_atoms(a, words, &r.atoms);
	for (size_t i = 0, took; i < r.atoms.n && out->n < DATES_MAX; i += took) {
		size_t known = out->n;

		took = take(&r, i, TIME_NOTHING, NULL);
		if (!took && !(took = on_weekday(&r, i, out)) &&
		    !(took = date_of_numbers(&r, i, out)) &&
		    (took = dated(&r, i, &out->p[known]))) {
			took += open_behind(&r, i + took, &out->p[known]);
			out->n++;
		}
		took += !took;
		for (; known < out->n; known++) {
			out->p[known].at = r.atoms.p[i].word;
			out->p[known].words = r.atoms.p[i + took - 1].last + 1 - r.atoms.p[i].word;
		}
	}
}

size_t dates_spans(const struct dates *d, int64_t now, int years,
		   struct date_span out[DATES_MAX * DATES_YEARS])
{
	int year, month, day;
	size_t n = 0;

	calendar(now + os_zone(now), &year, &month, &day);
	for (size_t i = 0; i < d->n; i++) {
		if (!d->p[i].month)
			out[n++] = (struct date_span){d->p[i].from, d->p[i].to};
		for (int ago = 0; d->p[i].month && ago < years; ago++) {
			struct date one = calendar_span(year - ago, d->p[i].month, d->p[i].day);

			out[n++] = (struct date_span){one.from, one.to};
		}
	}
	return n;
}

static double memory_dates_match(const struct date *d, int64_t t)
{
	int64_t days = (d->to - d->from) / DAY;
	int year, month, day;

	if (!d->month) {
		if (t >= d->from && t < d->to)
			return 1;
		if (days <= 7 && t >= d->from - DAY_BEFORE * DAY && t < d->to + DAYS_AFTER * DAY)
			return NEAR_DAY;
		return days > 7 && days <= 31 && t >= d->to && t < d->to + 30 * DAY ? NEAR_MONTH
										    : 0;
	}
	calendar(t + os_zone(t), &year, &month, &day);
	if (month == d->month)
		return !d->day || day == d->day;
	return !d->day && month == d->month % 12 + 1 ? NEAR_MONTH : 0;
}

double dates_match_score(const struct dates *d, int64_t happened)
{
	double best = 0;

	for (size_t i = 0; i < d->n; i++)
		best = fmax(best, memory_dates_match(&d->p[i], happened) * d->p[i].weight);
	return best;
}

double dates_match_score_unweighted(const struct dates *d, int64_t happened)
{
	double best = 0;

	for (size_t i = 0; i < d->n; i++)
		best = fmax(best, memory_dates_match(&d->p[i], happened));
	return best;
}

bool date_word_names_time(struct str w, bool english)
{
	/* Comparing the first letter first rules out most words: each of a text is looked up. */
	static const char *const telling[] = {
		"yesterday", "today",     "tomorrow",  "tonight",  "week",     "weekend",
		"month",     "year",      "ago",       "last",     "next",     "recently",
		"spring",    "summer",    "fall",      "autumn",   "winter",   "january",
		"february",  "march",     "april",     "may",      "june",     "july",
		"august",    "september", "october",   "november", "december", "sunday",
		"monday",    "tuesday",   "wednesday", "thursday", "friday",   "saturday"};

	for (size_t i = 0; i < ARRAY_SIZE(telling); i++)
		if (telling[i][0] == w.p[0] && str_is(w, telling[i]))
			return true;
	for (size_t k = 0; k < ARRAY_SIZE(table) && !english; k++)
		if ((table[k].kind == TIME_WEEKDAY ||
		     (table[k].kind == TIME_MONTH && table[k].value < TIME_SHORT)) &&
		    word_is_listed(w, table[k].words))
			return true;
	return false;
}

/* Numbers that count no days in a question; German writes the others as one word. */
static const char more_numbers[] =
	"one|eleven|thirteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|forty|fifty|sixty|"
	"seventy|eighty|ninety|hundred|hundreds|thousand|thousands|million|dozen|half|elf|dutzend|"
	"onze|treize|quinze|seize|vingt|quarante|cinquante|soixante|cent|cents|mille|douzaine|once|"
	"trece|quince|veinte|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|cientos|"
	"mil|docena|одиннадцать|тринадцать|пятнадцать|двадцать|сорок|пятьдесят|шестьдесят|сто|тысяч";

bool date_word_is_number(struct str w)
{
	bool number = word_has_digit(w) || word_is_listed(w, more_numbers) ||
		      str_ends(w, STR("zig")) || str_ends(w, STR("zehn")) ||
		      str_ends(w, STR("hundert")) || str_ends(w, STR("tausend"));

	for (size_t k = 0; k < ARRAY_SIZE(table) && !number; k++)
		number = table[k].kind == TIME_NUMBER && table[k].value > 1 &&
			 word_is_listed(w, table[k].words);
	return number;
}
