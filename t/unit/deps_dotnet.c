/* .NET and PHP: projects, packages.config, lockfiles, composer.json and composer.lock. */
#include "deps.h"

#define P(inside) "<Project Sdk='Microsoft.NET.Sdk'>\n" inside "</Project>"
#define MSBUILD   " only MSBuild knows the value of this expression\n"

/* clang-format off */
static const struct row dotnet[] = {
	{"references: attributes, elements, lists, updates, removals", "a/b.csproj",
	 P("<ItemGroup>\n<PackageReference Include=\"MySql.Data\" Version=\"8.0.1\" />\n"
	 "<packagereference Version='[1,2)' include='A; B' />\n"
	 "<PackageReference Include='C'><Version> 1.* </Version></PackageReference>\n"
	 "<PackageReference Update='D'/><PackageReference Remove='E'/><!-- <PackageReference Include='F'/> -->\n"
	 "<Reference Include='G, Version=1.0'/><ProjectReference Include='h.csproj'/></ItemGroup>"),
	 "MySql.Data 8.0.1 3:28 locked\nA [1,2) 4:44\nB [1,2) 4:47\n"
	 "C 1.* 5:28\nD - 6:27\n"},
	{"properties, conditions and expressions", "b.fsproj",
	 P("<PropertyGroup><Db>MySql</Db><V>2</V></PropertyGroup><PropertyGroup Condition=\"'$(X)'==''\">"
	 "<W>x</W></PropertyGroup><ItemGroup>\n<PackageReference Include='$(Db).Data' Version='$(v).1'/>\n"
	 "<PackageReference Include='$(W)'/>\n<PackageReference Include='@(All)'/>\n"
	 "<PackageReference Include='A' Version='$(W)'/>\n"
	 "<PackageReference Include=\"$([System.String]::Concat('a','b'))\"/></ItemGroup>"),
	 "MySql.Data 2.1 3:28 elsewhere locked\nA - 6:28\n"
	 "? $(W) 4:28 only MSBuild knows the value of this expression\n"
	 "? @(All) 5:28 only MSBuild knows the value of this expression\n"
	 "? $([System.String]::Concat('a','b')) 7:28 only MSBuild knows the value of this expression\n"},
	{"SDKs, tools, downloads, targets", "x.targets",
	 "<Project Sdk='S/1.0;T'>\n<Sdk Name='U' Version='2'/><Import Project='x' Sdk='V'/>\n"
	 "<Target><ItemGroup><PackageDownload Include='W' Version='[1.0];[2.0]'/></ItemGroup></Target>\n"
	 "<ItemGroup><DotNetCliToolReference Include='X' Version='1'/></ItemGroup></Project>",
	 "S 1.0 1:15 locked\nU 2 2:12 locked\nW [1.0];[2.0] 3:46\n"
	 "X 1 4:45 locked\n"},
	{"properties of something else", "x.props", "<Project><PropertyGroup/></Project>", ""},
	{"central versions", "Directory.Packages.props",
	 "<Project><ItemGroup>\n<PackageVersion Include='A' Version='1.0'/>\n"
	 "<GlobalPackageReference Include='B' Version='2'/></ItemGroup></Project>",
	 "A 1.0 2:26 locked\nB 2 3:34 locked\n"},
	{"packages.config", "packages.config",
	 "<?xml version=\"1.0\"?>\n<packages>\n <package id=\"jQuery\" version=\"1.9.1\" targetFramework=\"net4\"/>\n"
	 "</packages>",
	 "jQuery 1.9.1 3:15 locked\n"},
	{"a specification", "a.nuspec",
	 "<package><metadata><dependencies>\n<dependency id='A' version='1.0'/><group><dependency id='B'/>\n"
	 "<dependency id='$id$'/></group></dependencies></metadata></package>",
	 "A 1.0 2:17\nB - 2:58\n? $id$ 3:17 a program gives its value when the package is made\n"},
	{"a lockfile", "packages.lock.json",
	 "{\"version\": 1, \"dependencies\": {\"net8.0\": {\n\"A\": {\"type\": \"Direct\", \"resolved\": \"1.0\"},\n"
	 "\"B\": {\"type\": \"Transitive\", \"resolved\": \"2\"},\n\"p\": {\"type\": \"Project\"},\n"
	 "\"C\": {\"type\": \"CentralTransitive\"}}}}",
	 "A 1.0 2:2 locked\nB 2 3:2 transitive locked\nC - 5:2 transitive\n"},
	{"tools", ".config/dotnet-tools.json",
	 "{\"version\": 1, \"tools\": {\n\"dotnet-ef\": {\"version\": \"3.1.0\", \"commands\": []}}}",
	 "dotnet-ef 3.1.0 2:2 locked\n"},
	/* https://learn.microsoft.com/dotnet/core/sdk/file-based-apps: all directives. */
	{"a file without a project", "tool.cs",
	 "#!/usr/bin/env dotnet\n#:sdk Microsoft.NET.Sdk.Web\n#:sdk Aspire.AppHost.Sdk@13.0.2\n"
	 "#:package Serilog@3.1.1\n#:package Spectre.Console@*\n#:package Central\n"
	 "#:property LangVersion=preview\n#:project ../Shared/Shared.csproj\n#:include a.cs\n"
	 "// #:package No@1\nusing Serilog;\n",
	 "Microsoft.NET.Sdk.Web - 2:7\nAspire.AppHost.Sdk 13.0.2 3:7 locked\nSerilog 3.1.1 4:11 locked\n"
	 "Spectre.Console * 5:11\nCentral - 6:11\n"},
	/* https://github.com/dotnet-script/dotnet-script#nuget-packages, and
	 * https://learn.microsoft.com/dotnet/fsharp/tools/fsharp-interactive/ */
	{"a script", "a.csx", "#r \"nuget: AutoMapper, 6.1.0\"\n#r \"nuget:Dapper\"\n#r \"System.Xml\"\n#load \"b.csx\"\n",
	 "AutoMapper 6.1.0 1:12 locked\nDapper - 2:11\n"},
	{"a script of F#", "a.fsx", "#r \"nuget: FSharp.Data, 5.0.2\"\n#r \"nuget Plotly.NET\"\n",
	 "FSharp.Data 5.0.2 1:12 locked\nPlotly.NET - 2:11\n"},
	{"no directive", "b.cs", "using A;\n", ""},
	{"SDKs of global.json", "global.json", "{\"msbuild-sdks\": {\n\"My.Sdk\": \"1.0\"}}",
	 "My.Sdk 1.0 2:2 locked\n"},
};
static const struct row above[] = {
	{"imports: each is read under its own name, or told", "a.csproj",
	 P("<Import Project='common.xml'/><Import Project='$(X)\\y.targets'/><Import Project='..\\S\\S.projitems'/>\n"
	 "<Import Project=\"$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(X)../'))\"/><Import Project='Sdk.props' Sdk='S'/>\n"
	 "<Import Project='common.txt'/><Import Project='$(X)'/>\n"),
	 "? common.txt 4:18 it is no file that ikm reads as a part of a project\n"
	 "? $(X) 4:48 it is no file that ikm reads as a part of a project\n"},
	{"a part of any name", "eng/common.xml", P("<ItemGroup><PackageReference Include='MySql.Data'/></ItemGroup>"),
	 "MySql.Data - 2:39\n"},
	{"versions and properties of the files above", "src/a/b.csproj",
	 P("<ItemGroup>\n<PackageReference Include='a'/>\n<PackageReference Include='B' VersionOverride='3'/>\n"
	 "<PackageReference Include='$(Name)'/></ItemGroup>"),
	 "a 1.0 3:28 locked\nB 3 4:28 locked\nN - 5:28 elsewhere\n"},
};
static const struct beside files[] = {
	{"Directory.Packages.props", "<Project><ItemGroup><PackageVersion Include='A' Version='1.0'/>"
	 "<PackageVersion Include='B' Version='2.0'/></ItemGroup></Project>"},
	{"src/Directory.Build.props", "<Project><PropertyGroup><Name>N</Name></PropertyGroup></Project>"},
};
static const struct row php[] = {
	{"sections, the platform, an alias", "composer.json",
	 "{\"require\": {\n\"php\": \">=8\", \"ext-json\": \"*\",\n\"Doctrine/ORM\": \"^2.1 || ^3\"},\n\"require-dev\": {\n"
	 "\"a/b\": \"dev-main as 1.0.x-dev\"},\n\"conflict\": {\"x/y\": \"*\"}, \"suggest\": {\"z/z\": \"why\"}}",
	 "php >=8 2:2 runtime\next-json * 2:16\nDoctrine/ORM ^2.1 || ^3 3:2\na/b dev-main 5:2\n"},
	{"packages in the file itself", "composer.json",
	 "{\"require\": [], \"repositories\": [{\"type\": \"package\", \"package\":\n{\"name\": \"e/f\", \"version\": \"1.0\"}},\n"
	 "{\"type\": \"vcs\", \"url\": \"https://x/y\"}, {\"packagist.org\": false}]}",
	 "e/f 1.0 2:11 locked\n"},
	{"a lockfile of Composer", "composer.lock",
	 "{\"packages\": [\n{\"name\": \"a/b\", \"version\": \"v1.0\", \"require\": {\"c/d\": \"*\"}}], \"packages-dev\":\n"
	 "[{\"name\": \"c/d\", \"version\": \"dev-main\"}]}",
	 "a/b v1.0 2:11 locked\nc/d dev-main 3:12 locked\n"},
	{"the platform of a lockfile", "composer.lock",
	 "{\"platform\": {\"php-64bit\": \"^8\", \"lib-curl\": \"*\",\n\"composer-plugin-api\": \"^2\"}, \"platform-dev\": []}",
	 "php-64bit ^8 1:16 runtime\nlib-curl * 1:35\ncomposer-plugin-api ^2 2:2 runtime\n"},
};
static const struct row wrong[] = {
	{"a project of something else", "a.csproj", "<p/>", "the top element is 'p', and must be 'Project'"},
	{"a document type", "a.csproj", "<!DOCTYPE Project [<!ENTITY x 'y'>]><Project>&x;</Project>", "document type"},
	{"a list for the packages", "packages.lock.json", "{\"dependencies\": []}", "dependencies is a list"},
	{"a text for a section", "composer.json", "{\"require\": \"a\"}", "require is a string"},
	{"a number for a version", "composer.json", "{\"require\": {\"a/b\": 1}}", "require.a/b is a number"},
	{"a package without a name", "composer.lock", "{\"packages\": [{}]}", "has no name"},
	{"deep JSON", "composer.lock", "[[[[", "line 1"},
};
/* clang-format on */

int main(void)
{
	struct arena *a = arena_new();
	struct besides beside = {files, ARRAY_SIZE(files)};

	reads(a, dotnet, ARRAY_SIZE(dotnet));
	reads_in(a, &beside, above, ARRAY_SIZE(above));
	reads(a, php, ARRAY_SIZE(php));
	refuses(a, wrong, ARRAY_SIZE(wrong));
	is_str(deps_normal(a, DEPS_NUGET, STR("MySql.Data")), STR("mysql.data"),
	       "NuGet ignores case");
	arena_free(a);
	return tap_done();
}
