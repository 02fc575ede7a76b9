#include "judge/internal.h"

/*
 * Names of files that a program or a person reads as a program, a setting or prose. They are text
 * even with NUL bytes. Names with a leading dot are suffixes, others are whole names. Case is
 * ignored.
 */
/* clang-format off */
static const char *const sources[] = {
	".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".m",
	".mm", ".cu", ".cuh", ".cl", ".ino", ".cs", ".csx", ".cake", ".vb", ".vbs", ".vba", ".bas",
	".cls", ".frm", ".fs", ".fsi", ".fsx", ".java", ".kt", ".kts", ".scala", ".sc", ".sbt",
	".groovy", ".gradle", ".clj", ".cljs", ".cljc", ".edn", ".go", ".rs", ".zig", ".d", ".nim",
	".nims", ".v", ".sv", ".vhd", ".vhdl", ".swift", ".dart", ".js", ".mjs", ".cjs", ".jsx", ".es6",
	".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".astro", ".coffee", ".py", ".pyi", ".pyw",
	".pyx", ".pxd", ".rb", ".erb", ".rake", ".ru", ".gemspec", ".podspec", ".php", ".phtml",
	".php3", ".php4", ".php5", ".php7", ".phps", ".inc", ".module", ".pl", ".pm", ".pod", ".t",
	".psgi", ".raku", ".lua", ".r", ".rmd", ".jl", ".hs", ".lhs", ".cabal", ".ml", ".mli", ".mll",
	".mly", ".ex", ".exs", ".eex", ".heex", ".leex", ".erl", ".hrl", ".el", ".lisp", ".scm",
	".ss", ".rkt", ".sql", ".psql", ".plsql", ".pls", ".pks", ".pkb", ".ddl", ".sh", ".bash", ".zsh",
	".ksh", ".fish", ".csh", ".tcsh", ".command", ".profile", ".ps1", ".psm1", ".psd1", ".bat",
	".cmd", ".wsf", ".hta", ".ahk", ".applescript", ".awk", ".sed", ".tcl", ".exp", ".vim", ".asm",
	".s", ".ll", ".wat", ".f", ".f90", ".f95", ".for", ".pas", ".pp", ".dpr", ".ada", ".adb", ".ads",
	".cob", ".cbl", ".abap", ".sas", ".do", ".sol", ".cairo", ".move", ".vy", ".glsl", ".hlsl",
	".wgsl", ".vert", ".frag", ".metal", ".shader", ".proto", ".thrift", ".avdl", ".graphql", ".gql",
	".tf", ".tfvars", ".hcl", ".nix", ".dhall", ".cue", ".jsonnet", ".libsonnet", ".rego", ".bicep",
	".yaml", ".yml", ".json", ".json5", ".jsonc", ".jsonl", ".ndjson", ".geojson", ".ipynb", ".toml",
	".ini", ".cfg", ".cnf", ".conf", ".config", ".properties", ".env", ".reg", ".inf", ".desktop",
	".service", ".xml", ".xsl", ".xslt", ".xsd", ".wsdl", ".xaml", ".axaml", ".resx", ".rc",
	".strings", ".plist", ".html", ".htm", ".xhtml", ".shtml", ".css", ".scss", ".sass", ".less",
	".styl", ".pcss", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".txt", ".text",
	".tex", ".org", ".csv", ".tsv", ".cmake", ".mk", ".mak", ".make", ".am", ".ac", ".m4", ".in",
	".bzl", ".bazel", ".bp", ".gn", ".gni", ".star", ".gyp", ".gypi", ".ninja", ".csproj", ".vbproj",
	".fsproj", ".vcxproj", ".proj", ".props", ".targets", ".sln", ".slnx", ".nuspec", ".razor",
	".cshtml", ".vbhtml", ".aspx", ".ascx", ".asmx", ".ashx", ".asax", ".asp", ".jsp", ".jspx",
	".jsf", ".ftl", ".vm", ".ejs", ".hbs", ".mustache", ".handlebars", ".njk", ".twig", ".liquid",
	".haml", ".slim", ".pug", ".jade", ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".gotmpl",
	".template", ".diff", ".patch", ".lock", ".mod", ".sum", ".dockerfile", ".containerfile",
	".ps", ".svg", ".po", ".pot", ".lic", ".http", ".rest", ".feature", ".robot",
	"makefile", "gnumakefile", "bsdmakefile", "kbuild", "kconfig", "dockerfile", "containerfile",
	"jenkinsfile", "vagrantfile", "rakefile", "gemfile", "guardfile", "capfile", "thorfile",
	"berksfile", "podfile", "fastfile", "appfile", "brewfile", "procfile", "justfile", "earthfile",
	"tiltfile", "pipfile", "build", "workspace", "sconstruct", "sconscript", "wscript", "configure",
	"gradlew", "mvnw", "readme", "license", "changelog", "codeowners",
};
/* clang-format on */

/* Names of data files. ikm counts them and never names them, whatever their content is. */
/* clang-format off */
static const char *const data[] = {
	".png", ".apng", ".jpg", ".jpeg", ".jpe", ".jxl", ".gif", ".bmp", ".ico", ".cur", ".icns",
	".webp", ".avif", ".heic", ".heif", ".tif", ".tiff", ".psd", ".xcf", ".tga", ".dds", ".ktx",
	".exr", ".hdr", ".svgz", ".eps", ".pdf", ".djvu", ".zip", ".gz", ".tgz", ".bz2", ".tbz",
	".tbz2", ".xz", ".txz", ".lzma", ".zst", ".lz4", ".lz", ".br", ".7z", ".rar", ".tar", ".cab",
	".cpio", ".jar", ".war", ".ear", ".aar", ".apk", ".aab", ".ipa", ".whl", ".egg", ".gem",
	".crate", ".nupkg", ".snupkg", ".vsix", ".deb", ".rpm", ".msi", ".dmg", ".pkg", ".iso", ".img",
	".vmdk", ".qcow2", ".so", ".dll", ".dylib", ".exe", ".com", ".sys", ".o", ".a", ".lib", ".obj",
	".pdb", ".ko", ".elf", ".hex", ".uf2", ".class", ".dex", ".pyc", ".pyo", ".pyd", ".beam", ".wasm",
	".bc", ".node", ".bin", ".dat", ".db", ".db3", ".sqlite", ".sqlite3", ".mdb", ".mdf", ".ldf",
	".parquet", ".avro", ".orc", ".arrow", ".feather", ".npy", ".npz", ".pkl", ".pickle", ".h5",
	".hdf5", ".onnx", ".pt", ".pb", ".tflite", ".gguf", ".safetensors", ".mo", ".gmo", ".ttf", ".ttc",
	".otf", ".woff", ".woff2", ".eot", ".mp3", ".mp4", ".m4a", ".m4v", ".aac", ".wav", ".ogg", ".oga",
	".ogv", ".opus", ".flac", ".aiff", ".avi", ".mov", ".mkv", ".webm", ".wmv", ".flv", ".swf",
	".der", ".p12", ".pfx", ".jks", ".keystore", ".bks", ".gpg", ".kbx", ".doc", ".docx", ".xls",
	".xlsx", ".xlsb", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".rtf", ".epub", ".mobi", ".pack",
	".idx", ".pcap", ".pcapng", ".mmdb", ".blend", ".fbx", ".glb", ".stl", ".unity3d", ".pak",
	".snk", ".res", ".nib", ".mat", ".rds", ".rdata", ".swp", ".ds_store",
};
/* clang-format on */

static bool skip_names(const char *const *list, size_t n, struct str path)
{
	struct str base = str_base(path);
	struct str suffix = str_sub(base, size_min(str_rfind_char(base, '.'), base.n), base.n);

	for (size_t i = 0; i < n; i++) {
		struct str name = str_of(list[i]);

		if (str_ieq(list[i][0] == '.' ? suffix : base, name))
			return true;
	}
	return false;
}

bool skip_path_is_source(struct str path)
{
	struct str base = str_base(path);

	/* Hidden files are settings; "Dockerfile.web" is a Dockerfile. */
	return skip_names(sources, ARRAY_SIZE(sources), path) ||
	       (str_starts(base, STR(".")) && !skip_path_is_data(path)) ||
	       str_ieq(str_sub(base, 0, 11), STR("dockerfile."));
}

bool skip_path_is_data(struct str path)
{
	return skip_names(data, ARRAY_SIZE(data), path);
}

static bool lfs_is_digest(struct str s)
{
	struct str hex = str_sub(s, 7, s.n);

	if (!str_starts(s, STR("sha256:")) || hex.n != 64)
		return false;
	for (size_t i = 0; i < hex.n; i++)
		if (!memchr("0123456789abcdef", hex.p[i], 16))
			return false;
	return true;
}

/*
 * A Git LFS pointer has at most 1,024 bytes, and each line has the form "key value". The test is
 * strict, because rules on code and imports skip a file that passes it.
 */
bool skip_is_lfs(struct str text)
{
	bool oid = false, size = false;
	struct str line;

	if (text.n > 1024 || !str_next_line(&text, &line) ||
	    !str_is(line, "version https://git-lfs.github.com/spec/v1"))
		return false;
	while (str_next_line(&text, &line)) {
		struct str value = line, key = {"", 0}; /* an empty line has no key */
		int64_t n;

		str_next_part(&value, ' ', &key);
		if (str_is(key, "oid") && lfs_is_digest(value))
			oid = true;
		else if (str_is(key, "size") && str_int(value, &n) && n >= 0)
			size = true;
		else if (!str_starts(key, STR("ext-")) || key.n > 64 || !lfs_is_digest(value))
			return false;
	}
	return oid && size;
}
