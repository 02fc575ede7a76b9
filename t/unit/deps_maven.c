/* Maven's pom.xml: names, places, properties, parents of the tree, and what they cannot tell. */
#include "deps.h"
#include "xml/xml.h"

#define TOP     "<project xmlns='http://maven.apache.org/POM/4.0.0'>\n"
#define D(g, a) "<dependency><groupId>" g "</groupId><artifactId>" a "</artifactId></dependency>"
#define DV(g, a, v)                                                                                \
	"<dependency><groupId>" g "</groupId><artifactId>" a "</artifactId><version>" v            \
	"</version></dependency>"
#define UNKNOWN(p) " the poms of the tree do not tell the value of the property '" p "'\n"

/* clang-format off */
static const struct row maven[] = {
	{"dependencies, with and without a version", "a/pom.xml",
	 TOP "<dependencies>\n" DV("mysql", "mysql-connector-java", "8.0.1") "\n"
	 "<dependency>\n <artifactId> x </artifactId><scope>test</scope>\n <groupId>g</groupId>"
	 "<exclusions><exclusion><groupId>e</groupId><artifactId>f</artifactId></exclusion></exclusions>"
	 "</dependency>\n</dependencies></project>\n",
	 "mysql:mysql-connector-java 8.0.1 3:49\ng:x - 5:15\n"},
	{"comments, CDATA, escapes and a prefix", "pom.xml",
	 "<?xml version='1.0' encoding='UTF-8'?>\n<m:project><!-- <dependencies> " D("no", "no") " -->\n"
	 "<dependencies>\n" D("<![CDATA[a]]>b&#x63;", "x<!-- y -->z") "</dependencies></m:project>\n",
	 "abc:xz - 4:64 elsewhere\n"},
	{"plugins, their dependencies, processors, extensions, reports, profiles", "pom.xml",
	 TOP "<build><plugins><plugin><artifactId>p1</artifactId><configuration><annotationProcessorPaths>"
	 "<path><groupId>g</groupId><artifactId>p2</artifactId></path></annotationProcessorPaths>"
	 "</configuration>\n<dependencies>" D("g", "p3") "</dependencies></plugin></plugins>\n"
	 "<pluginManagement><plugins><plugin><groupId>g</groupId><artifactId>p4</artifactId><executions>"
	 "<execution><configuration><artifactItems><artifactItem><groupId>g</groupId>"
	 "<artifactId>p5</artifactId></artifactItem></artifactItems></configuration></execution>"
	 "</executions></plugin></plugins></pluginManagement>\n"
	 "<extensions><extension><groupId>g</groupId><artifactId>p6</artifactId></extension></extensions>"
	 "</build>\n<reporting><plugins><plugin><artifactId>p7</artifactId></plugin></plugins></reporting>\n"
	 "<profiles><profile><dependencies>" D("g", "p8") "</dependencies></profile></profiles></project>",
	 "org.apache.maven.plugins:p1 - 2:37\ng:p3 - 3:59\ng:p2 - 2:131\ng:p4 - 4:68\n"
	 "g:p5 - 4:182\ng:p6 - 5:56\norg.apache.maven.plugins:p7 - 6:41\ng:p8 - 7:78\n"},
	{"properties of the file, nested, and of the project itself", "pom.xml",
	 TOP "<groupId>own</groupId><artifactId>me</artifactId><version>3</version>\n"
	 "<properties><db>mysql</db><conn>${db}-connector</conn><v.x>8</v.x></properties><dependencies>\n"
	 DV("com.${db}", "${conn}-j", "${v.x}.1") "\n" DV("${project.groupId}", "b", "${pom.version}")
	 "</dependencies></project>",
	 "com.mysql:mysql-connector-j 8.1 4:53 elsewhere\nown:b 3 5:62\n"},
	{"properties that nobody sets, or a profile sets", "pom.xml",
	 TOP "<properties><a>x</a><c>${d}</c><d>${c}</d></properties><profiles><profile><properties>"
	 "<a>mysql</a></properties></profile></profiles><dependencies>\n"
	 D("g", "${a}") "\n" D("g", "${env.DB}") "\n" D("g", "${c}") "\n" DV("g", "ok", "${none}")
	 "</dependencies></project>",
	 "g:${a} - 3:45\ng:${env.DB} - 4:45\ng:${c} - 5:45\ng:ok - 6:45\n"
	 "? g:${a} 3:45 the poms of the tree do not tell the value of the property 'a'\n"
	 "? g:${env.DB} 4:45 the poms of the tree do not tell the value of the property 'env.DB'\n"
	 "? g:${c} 5:45 the poms of the tree do not tell the value of the property 'c'\n"},
	{"managed versions, and a parent of a registry", "pom.xml",
	 TOP "<parent><groupId>org.p</groupId><artifactId>p</artifactId><version>1</version></parent>"
	 "<dependencyManagement><dependencies>\n" DV("g", "a", "[1,2)") "</dependencies>"
	 "</dependencyManagement><dependencies>\n" D("g", "a") "</dependencies></project>",
	 "org.p:p 1 2:45\ng:a [1,2) 4:45\ng:a [1,2) 3:45\n"},
	{"an element without a name", "pom.xml", TOP "<dependencies>\n<dependency/></dependencies></project>",
	 "?  3:1 it has no groupId and no artifactId\n"},
	{"extensions of Maven", ".mvn/extensions.xml",
	 "<extensions>\n<extension><groupId>g</groupId><artifactId>e</artifactId><version>1</version>"
	 "</extension></extensions>",
	 "g:e 1 2:44\n"},
	{"a name that other files have", "pom-old.xml", "<shop/>", ""},
	{"and a broken text", "pom-old.xml", "<project><a>",
	 "?  1:13 the file does not read as its name says: no element found\n"},
};

static const struct row parents[] = {
	{"a parent of the tree: its properties, managed versions, and its own parent", "app/pom.xml",
	 TOP "<parent><groupId>own</groupId><artifactId>top</artifactId><version>1</version></parent>"
	 "<artifactId>app</artifactId><dependencies>\n" D("g", "${db}") "\n" D("${project.groupId}", "x")
	 "\n" D("g", "m") "\n" D("g", "high") "</dependencies></project>",
	 "g:mysql2 - 3:45 elsewhere\nown:x - 4:62\ng:m 7 5:45\ng:high 9 6:45\n"},
	{"the child's value counts", "app/pom.xml",
	 TOP "<parent><groupId>own</groupId><artifactId>top</artifactId><version>1</version></parent>"
	 "<properties><db>pg</db></properties><dependencies>" D("g", "${db}") "</dependencies></project>",
	 "g:pg - 2:182 elsewhere\n"},
	{"relativePath: a folder, another project, and none", "x/y/pom.xml",
	 TOP "<parent><groupId>own</groupId><artifactId>top</artifactId><relativePath>../..</relativePath>"
	 "</parent><dependencies>" D("g", "${db}") "</dependencies></project>",
	 "g:mysql2 - 2:160 elsewhere\n"},
	{"a file that is not the parent", "app/pom.xml",
	 TOP "<parent><groupId>own</groupId><artifactId>other</artifactId></parent></project>",
	 "own:other - 2:43\n"},
	{"no file", "app/pom.xml",
	 TOP "<parent><groupId>own</groupId><artifactId>top</artifactId><relativePath/></parent></project>",
	 "own:top - 2:43\n"},
	{"a circle", "ring/a/pom.xml",
	 TOP "<groupId>r</groupId><artifactId>a</artifactId><parent><groupId>r</groupId>"
	 "<artifactId>b</artifactId><relativePath>../b/pom.xml</relativePath></parent></project>",
	 "? b 2:87 its parents form a circle, or are more than 32\n"},
	{"a parent that cannot be read", "bad/pom.xml",
	 TOP "<parent><groupId>r</groupId><artifactId>b</artifactId>"
	 "<relativePath>x.xml</relativePath></parent></project>",
	 "r:b - 2:41\n? b 2:41 its parent in the tree cannot be read\n"},
};

static const struct beside poms[] = {
	{"pom.xml", TOP "<parent><groupId>own</groupId><artifactId>high</artifactId>"
	 "<relativePath>high/pom.xml</relativePath></parent><artifactId>top</artifactId>"
	 "<properties><db>mysql2</db></properties><dependencyManagement><dependencies>"
	 DV("g", "m", "7") "</dependencies></dependencyManagement></project>"},
	{"high/pom.xml", TOP "<groupId>own</groupId><artifactId>high</artifactId><dependencyManagement>"
	 "<dependencies>" DV("g", "high", "9") DV("g", "m", "6")
	 "</dependencies></dependencyManagement></project>"},
	{"ring/b/pom.xml", TOP "<groupId>r</groupId><artifactId>b</artifactId><parent><groupId>r</groupId>"
	 "<artifactId>a</artifactId><relativePath>../a/pom.xml</relativePath></parent></project>"},
	{"ring/a/pom.xml", TOP "<groupId>r</groupId><artifactId>a</artifactId><parent><groupId>r</groupId>"
	 "<artifactId>b</artifactId><relativePath>../b/pom.xml</relativePath></parent></project>"},
	{"bad/x.xml", "<project>"},
};

static const struct row bad[] = {
	{"another top element", "pom.xml", "<projects/>", "line 1, column 1: the top element is 'projects'"},
	{"not closed", "pom.xml", "<project>\n<a></project>", "line 2, column 6: mismatched tag"},
	{"an entity", "pom.xml", "<!DOCTYPE project [<!ENTITY x 'y'>]>\n<project>&x;</project>",
	 "line 1, column 19: a document type"},
	{"entities of entities", "pom.xml",
	 "<?xml version='1.0'?>\n<!DOCTYPE p [<!ENTITY a 'xx'><!ENTITY b '&a;&a;'>]><project>&b;</project>",
	 "line 2, column 13: a document type"},
	{"a file of the machine", "pom.xml",
	 "<!DOCTYPE p SYSTEM 'file:///etc/passwd'><project/>", "a document type"},
	{"an entity without a type", "pom.xml", "<project>&x;</project>", "undefined entity"},
	{"an encoding", "pom.xml", "<?xml version='1.0' encoding='KOI8-R'?><project/>", "write it in UTF-8"},
	{"bytes that are not UTF-8", "pom.xml", "<project>\xff</project>", "line 1, column 10"},
	{"nothing", "pom.xml", "", "no element found"},
};
/* clang-format on */

static void maven_nested(struct arena *a)
{
	struct buf b = buf_in(a);
	struct deps d;

	for (int i = 0; i < 100000; i++)
		buf_puts(&b, "<a>");
	fails(deps_read(a, STR("pom.xml"), buf_as_str(&b), NULL, &d), E_BAD_MANIFEST,
	      "a hundred thousand levels");
}

/* Each property is twice the one before. */
static void maven_bomb(struct arena *a)
{
	struct buf b = buf_in(a);
	struct deps d;

	buf_puts(&b, TOP "<properties><p0>xxxxxxxx</p0>");
	for (int i = 1; i < 60; i++)
		buf_fmt(&b, "<p%d>${p%d}${p%d}</p%d>", i, i - 1, i - 1, i);
	buf_puts(&b, "</properties><dependencies>" D("g", "${p59}") "</dependencies></project>");
	works(deps_read(a, STR("pom.xml"), buf_as_str(&b), NULL, &d), "properties that double");
	ok(d.unresolved.n == 1, "are not known");
}

/* The names rules match, and the encodings. */
static void maven_more(struct arena *a)
{
	static const char text[] =
		"\xff\xfe<\0p\0r\0o\0j\0e\0c\0t\0>\0<\0/\0p\0r\0o\0j\0e\0c\0t\0>\0";
	struct deps d;
	struct xml *x;

	works(deps_read(a, STR("pom.xml"), (struct str){text, sizeof(text) - 1}, NULL, &d),
	      "UTF-16");
	works(deps_read(a, STR("pom.xml"), STR("\xef\xbb\xbf<?xml version='1.0'?><project/>"), NULL,
			&d),
	      "a byte order mark");
	works(deps_read(a, STR("pom.xml"),
			STR(TOP "<dependencies>" D("g", "a") "</dependencies></project>"), NULL,
			&d),
	      "an artifact");
	is_str(d.p[0].brief, STR("a"), "is known by its own name too");
	works(xml_read(a, STR("<a x:b='&lt;1' c = \"2\"/>"), &x), "attributes");
	is_str(xml_attr(x, "B", NULL), STR("<1"), "are decoded, and have any case");
	is_int((int64_t)xml_attr_span(STR("<a x:b='&lt;1' c = \"2\"/>"), x, "c").from, 20,
	       "and a place");
}

int main(void)
{
	struct arena *a = arena_new();
	struct besides files = {poms, ARRAY_SIZE(poms)};

	reads(a, maven, ARRAY_SIZE(maven));
	reads_in(a, &files, parents, ARRAY_SIZE(parents));
	refuses(a, bad, ARRAY_SIZE(bad));
	maven_nested(a);
	maven_bomb(a);
	maven_more(a);
	arena_free(a);
	return tap_done();
}
