/*
 * Words of one meaning that the stemmer does not join. It joins "walk" and "walked"; it cannot join
 * "go" and "went". Queries use this table; the index does not, so a change of the table does not
 * change a store.
 *
 * A line has the forms of one word, folded: irregular forms of English verbs and nouns, words of
 * their families ("choice" of "choose"), and words with two spellings. Forms that the stemmer joins
 * may be left out. Some forms are also other words ("left", "found", "saw"). A form counts less
 * than the word itself, so such a memory does not rank before one with the word.
 */
#include "words/internal.h"

static const char *const word_form_groups[] = {
	"arise arose arisen",
	"awake awoke awoken",
	"beat beaten",
	"become became",
	"begin began begun",
	"bend bent",
	"bind bound",
	"bite bit bitten",
	"bleed bled",
	"blow blew blown",
	"break broke broken",
	"breed bred",
	"bring brought",
	"build built",
	"burn burnt",
	"buy bought",
	"catch caught",
	"choose chose chosen",
	"cling clung",
	"come came",
	"creep crept",
	"deal dealt",
	"dig dug",
	"dive dove",
	"draw drew drawn",
	"dream dreamt",
	"drink drank drunk",
	"drive drove driven",
	"eat ate eaten",
	"fall fell fallen",
	"feed fed",
	"feel felt",
	"fight fought",
	"find found",
	"flee fled",
	"fling flung",
	"fly flew flown",
	"forbid forbade forbidden",
	"forget forgot forgotten",
	"forgive forgave forgiven",
	"freeze froze frozen",
	"get got gotten",
	"give gave given",
	"go went gone goes",
	"grind ground",
	"grow grew grown",
	"hang hung",
	"hear heard",
	"hide hid hidden",
	"hold held",
	"keep kept",
	"kneel knelt",
	"know knew known",
	"lead led",
	"lean leant",
	"leap leapt",
	"learn learnt",
	"leave left",
	"lend lent",
	"lie lay lain",
	"light lit",
	"lose lost",
	"make made",
	"mean meant",
	"meet met",
	"mistake mistook mistaken",
	"overcome overcame",
	"pay paid",
	"plead pled",
	"prove proven",
	"rebuild rebuilt",
	"ride rode ridden",
	"ring rang rung",
	"rise rose risen",
	"run ran",
	"say said",
	"see saw seen",
	"seek sought",
	"sell sold",
	"send sent",
	"sew sewn",
	"shake shook shaken",
	"shine shone",
	"shoot shot",
	"show shown",
	"shrink shrank shrunk",
	"sing sang sung",
	"sink sank sunk",
	"sit sat",
	"sleep slept",
	"slide slid",
	"smell smelt",
	"sow sown",
	"speak spoke spoken",
	"speed sped",
	"spell spelt",
	"spend spent",
	"spill spilt",
	"spin spun",
	"spoil spoilt",
	"spring sprang sprung",
	"stand stood",
	"steal stole stolen",
	"stick stuck",
	"sting stung",
	"stride strode",
	"strike struck stricken",
	"strive strove striven",
	"swear swore sworn",
	"sweep swept",
	"swell swollen",
	"swim swam swum",
	"swing swung",
	"take took taken",
	"teach taught",
	"tear tore torn",
	"tell told",
	"think thought",
	"throw threw thrown",
	"tread trod trodden",
	"undergo underwent undergone",
	"understand understood",
	"undertake undertook undertaken",
	"undo undid undone",
	"uphold upheld",
	"wake woke woken",
	"wear wore worn",
	"weave wove woven",
	"weep wept",
	"win won",
	"withdraw withdrew withdrawn",
	"withstand withstood",
	"write wrote written",
	/* nouns, and words of family */
	"analysis analyses",
	"appendix appendices",
	"axis axes",
	"basis bases",
	"child children",
	"cactus cacti",
	"calf calves",
	"crisis crises",
	"criterion criteria",
	"curriculum curricula",
	"diagnosis diagnoses",
	"foot feet",
	"goose geese",
	"half halves",
	"hypothesis hypotheses",
	"index indices indexes",
	"knife knives",
	"leaf leaves",
	"life lives",
	"loaf loaves",
	"man men",
	"matrix matrices",
	"medium media",
	"mouse mice",
	"nucleus nuclei",
	"ox oxen",
	"parenthesis parentheses",
	"person people persons",
	"phenomenon phenomena",
	"radius radii",
	"scarf scarves",
	"self selves",
	"shelf shelves",
	"thesis theses",
	"thief thieves",
	"tooth teeth",
	"vertex vertices",
	"wife wives",
	"wolf wolves",
	"woman women",
	/* comparison */
	"bad worse worst",
	"far further furthest farther",
	"good better best",
	"well better best",
	/* two spellings */
	"behaviour behavior",
	"catalogue catalog",
	"centre center",
	"colour color",
	"dad father",
	"favourite favorite",
	"grey gray",
	"honour honor",
	"labour labor",
	"licence license",
	"metre meter",
	"mom mum mother",
	"neighbour neighbor",
	"phone telephone",
	"photo photograph",
	"programme program",
	"theatre theater",
	"tv television",
};

/* The part of the line behind the word and its blank, or NULL: the line does not have the word. */
static const char *word_in_line(const char *line, struct str word)
{
	for (const char *p = line; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (!strncmp(p, word.p, word.n) && (p[word.n] == ' ' || !p[word.n]))
			return p;
	}
	return NULL;
}

void words_forms(struct str word, struct arena *a, struct strs *out)
{
	struct str rest, form;

	for (size_t i = 0; i < ARRAY_SIZE(word_form_groups); i++) {
		if (!word_in_line(word_form_groups[i], word))
			continue;
		rest = str_of(word_form_groups[i]);
		while (str_next_part(&rest, ' ', &form))
			if (!str_eq(form, word) && !strs_has(out, form))
				strs_push(a, out, form);
	}
}

/* ---- roots of Cyrillic words ---- */

/*
 * Endings of Russian nouns, adjectives and verbs, and of their relatives. The longest that leaves
 * enough letters is removed. Too much or too little does little harm: a root only proposes other
 * words of the vocabulary, which then need the same root.
 */
static const char *const cyrillic_endings[] = {
	"иями", "ями", "ами", "ией", "иям", "иях", "ием", "ого", "его", "ому", "ему", "ыми",
	"ими",  "ала", "али", "ало", "ила", "или", "ило", "ает", "ают", "яет", "яют", "ует",
	"уют",  "ить", "ать", "ять", "еть", "ешь", "ишь", "ете", "ите", "ых",  "их",  "ый",
	"ий",   "ой",  "ей",  "ая",  "яя",  "ое",  "ее",  "ые",  "ие",  "ую",  "юю",  "ов",
	"ев",   "ам",  "ям",  "ах",  "ях",  "ом",  "ем",  "ью",  "ия",  "ии",  "ию",  "ья",
	"ье",   "ьи",  "ит",  "ят",  "ат",  "ут",  "ют",  "ет",  "ал",  "ил",  "ла",  "ло",
	"ли",   "а",   "я",   "о",   "е",   "ы",   "и",   "у",   "ю",   "ь",   "й",   "л",
};
enum { CYRILLIC_LETTER = 2, CYRILLIC_ROOT = 3 * CYRILLIC_LETTER };

struct str words_root(struct str word)
{
	struct str root = word;

	for (size_t i = 0; i < word.n; i += CYRILLIC_LETTER)
		if (word.n - i < CYRILLIC_LETTER ||
		    ((unsigned char)word.p[i] != 0xd0 && (unsigned char)word.p[i] != 0xd1))
			return (struct str){0};
	for (size_t i = 0; i < ARRAY_SIZE(cyrillic_endings); i++) {
		struct str ending = str_of(cyrillic_endings[i]);

		if (word.n >= CYRILLIC_ROOT + ending.n && str_ends(word, ending) &&
		    word.n - ending.n < root.n)
			root.n = word.n - ending.n;
	}
	return root.n >= CYRILLIC_ROOT ? root : (struct str){0};
}
