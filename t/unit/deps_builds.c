/* Mix, Package.swift, Terraform, Meson wraps, Paket, NuGet's assets, pixi and conda locks. */
#include "deps.h"

/* clang-format off */
static const struct row mix[] = {
	{"tuples", "mix.exs",
	 "defmodule A.MixProject do\n  use Mix.Project\n  def project do\n    [app: :a, version: \"0.1.0\", deps: deps()]\n  end\n"
	 "  def application, do: [extra_applications: [:logger], mod: {A, []}]\n  # {:no, \"1.0\"}\n  defp deps do\n    [\n"
	 "      {:plug, \"~> 1.0\"},\n      {:ecto, \">= 2.0.0\", only: [:dev], runtime: false},\n      {:g, git: \"https://x/g.git\", tag: \"1.0\"},\n"
	 "      {:\"q-r\", \"~> 1.1 or ~> 2.0\"},\n      {:local, path: \"../local\"},\n      {:umb, in_umbrella: true},\n      {:al, \"1.0\", hex: :real}\n    ]\n  end\n"
	 "  defp other do\n    [{:no, \"1.0\"}]\n  end\nend\n",
	 "plug ~> 1.0 10:9\necto >= 2.0.0 11:9\ng - 12:9\nq-r ~> 1.1 or ~> 2.0 13:10\nlocal - 14:9\nreal 1.0 16:26 as al\n"},
	{"a list in the project, keys, conditions", "mix.exs",
	 "def project, do: [\n  deps: [plug: \"~> 1.0\", ecto: [github: \"o/e\"]]\n]\ndefp deps(:prod), do: [{:a, \"1.0\"}]\n"
	 "defp dev_deps do\n  if Mix.env() == :dev do\n    [{:b, \"2.0\"}]\n  else\n    []\n  end ++ deps(:prod) ++ extra()\nend\n",
	 "plug ~> 1.0 2:10\necto - 2:26\na 1.0 4:26\nb 2.0 7:8\n? extra() 10:25 a program computes it\n"},
	{"what a program computes", "mix.exs",
	 "def project, do: [deps: Enum.map(x, y)]\ndefp deps do\n  [{name, \"1.0\"}, {:a, \"#{v}\"}, {:b, v}, extra | rest]\nend\n",
	 "a - 3:21\nb - 3:35\n? Enum.map(x, y) 1:25 a program computes it\n? {name, \"1.0\"} 3:4 a program computes the name\n"
	 "? extra | rest 3:42 a program computes it\n"},
	{"sigils, characters and heredocs", "mix.exs",
	 "@a ~w(b {:no, \"1\"})\n@c ?\"\n@d \"\"\"\ndefp deps do [{:no, \"1\"}] end\n\"\"\"\ndefp deps do\n  [{:a, \"1.0\"}] # \"\nend\n",
	 "a 1.0 7:6\n"},
};

static const struct row swift[] = {
	{"packages", "Package.swift",
	 "// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: \"x\", dependencies: [\n"
	 "  .package(url: \"https://github.com/o/a.git\", from: \"0.1.2\"),\n  .package(name: \"B\", url: \"https://h.org/o/b\", .upToNextMinor(from: \"1.2.3\")),\n"
	 "  .package(url: \"git@github.com:o/c.git\", .exact(\"1.0.0\")),\n  .package(url: \"https://h/o/d\", \"1.0.0\"..<\"2.0.0\"),\n"
	 "  .package(url: \"https://h/o/e\", branch: \"main\"), // .package(url: \"https://h/o/no\")\n  .package(path: \"lib/f\"),\n  .package(id: \"s.g\", exact: \"2.0.0\"),\n"
	 "  /* /* .package(url: \"https://h/no/no\") */ */\n  .package(url: base + \"/x\", from: \"1.0.0\"), .package(url: \"\\(b)/y\", from: \"1.0.0\"), .package(path: \"../z\")\n"
	 "], targets: [.binaryTarget(name: \"t\", url: \"https://h/t.zip\", checksum: \"1\"), .target(name: \"u\", dependencies: [.product(name: \"A\", package: \"a\")])])\n",
	 "github.com/o/a >=0.1.2 <1.0.0 4:26\nh.org/o/b >=1.2.3 <1.3.0 5:37\ngithub.com/o/c 1.0.0 6:18 elsewhere\nh/o/d >=1.0.0 <2.0.0 7:26\nh/o/e - 8:26\ns.g 2.0.0 10:17\n"
	 "? package(url: base + \"/x\", from: \"1.0.0\") 12:4 a program computes the address\n"
	 "? package(url: \"\\(b)/y\", from: \"1.0.0\") 12:47 a program computes the address\n"
	 "? package(path: \"../z\") 12:87 its folder is not in the repository, or is computed\n"
	 "? binaryTarget(name: \"t\", url: \"https://h/t.zip\", checksum: \"1\") 13:15 an archive of a program, which does not name its package\n"},
	{"strings that hold brackets and quotes", "Package@swift-5.9.swift",
	 "let a = \"\\(f(\".package(url: \\\"no\\\")\"))\", b = #\"\"x\\(y) .package(url: \"#\nlet c = \"\"\"\n.package(url: \"https://h/o/no\")\n\"\"\"\n"
	 ".package(url: \"https://h/o/a\", from: \"1.0.0-beta\")\n",
	 "h/o/a >=1.0.0-beta <2.0.0 5:24\n"},
	{"an open bracket", "Package.swift", ".package(url: \"https://h/o/a\"\n", "? package(url: \"https://h/o/a\" 1:2 its bracket is not closed\n"},
};

static const struct row terraform[] = {
	{"providers and modules", "infra/main.tf",
	 "terraform {\n  required_version = \">= 1.5\"\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \"~> 5.0\"\n    }\n"
	 "    dd = { source = \"DataDog/datadog\" }, old = \"~> 2.0\"\n    none = { version = \"1.0\", configuration_aliases = [none.x] }\n  }\n}\n"
	 "module \"vpc\" {\n  source  = \"terraform-aws-modules/vpc/aws\" # why\n  version = \"~> 5.0\"\n  x = { source = \"no/no/no\" }\n}\n"
	 "module \"local\" { source = \"./modules/x\" }\nmodule \"git\" {\n  source = \"git::https://u@example.com/o/vpc.git//sub?depth=1&ref=v1.2.0\"\n}\n"
	 "module \"gh\" { source = \"github.com/o/r//sub?ref=abc\" }\nmodule \"reg\" { source = \"app.terraform.io/o/k/aws//modules/x\" }\n"
	 "module \"s3\" { source = \"s3::https://x/y.zip\" }\nmodule \"var\" { source = \"${var.x}/y\" }\nmodule \"scp\" { source = \"git@h.org:o/s.git\" }\n"
	 "provider \"aws\" {\n  region = \"x\"\n}\nprovider \"google\" { version = \"~> 3.0\" }\nresource \"a\" \"b\" {\n  source = <<-EOT\n    module \"no\" { source = \"no/no/no\" }\n  EOT\n}\n",
	 "hashicorp/aws ~> 5.0 5:18\nDataDog/datadog - 8:22 as dd\nhashicorp/old ~> 2.0 8:42\nhashicorp/none 1.0 9:5\n"
	 "terraform-aws-modules/vpc/aws ~> 5.0 13:14\nexample.com/o/vpc 1.2.0 19:28\ngithub.com/o/r abc 21:25\napp.terraform.io/o/k/aws - 22:26\n"
	 "h.org/o/s - 25:26 elsewhere\nhashicorp/google ~> 3.0 29:11\n"
	 "? s3::https://x/y.zip 23:25 an address, which does not name its module\n? \"${var.x}/y\" 24:26 it is no literal\n"},
	{"modules of a registry of containers, and sources that are none", "main.tofu",
	 "module a { source = \"oci://r.example.com/o/vpc//sub?digest=x&tag=v1.2.3\" }\nterraform {\n  required_providers {\n"
	 "    b = { source = \"//hashicorp/b\" }\n    c = { source = \"x/y/z/c\" }\n  }\n}\n",
	 "r.example.com/o/vpc 1.2.3 1:28\n? //hashicorp/b 4:21 it is no source of a provider: [HOST/]NAMESPACE/NAME\n"
	 "? x/y/z/c 5:21 it is no source of a provider: [HOST/]NAMESPACE/NAME\n"},
	{"comments and nested templates", "a.tofu",
	 "# module \"no\" { source = \"a/b/c\" }\n/* module */ // module\nlocals { x = \"${lookup(\"}\", \"module \\\"n\\\" {\")}\" }\nmodule x { source = \"a/b/c\" }\n",
	 "a/b/c - 4:22\n"},
	{"JSON", "main.tf.json",
	 "{\"terraform\": {\"required_providers\": {\"aws\": {\"source\": \"hashicorp/aws\", \"version\": \"~> 5\"}}},\n"
	 "\"module\": [{\"a\": {\"source\": \"x/y/z\", \"version\": \"1.0\"}}, {\"b\": {\"source\": \"./b\"}, \"c\": {\"source\": \"${x}\"}}]}",
	 "hashicorp/aws ~> 5 1:58\nx/y/z 1.0 2:30\n? ${x} 2:99 it is no literal\n"},
	{"the lockfile", ".terraform.lock.hcl",
	 "# Maintained automatically\nprovider \"registry.terraform.io/hashicorp/aws\" {\n  version     = \"5.1.0\"\n  constraints = \"~> 5.0\"\n  hashes = [\n    \"h1:x=\",\n  ]\n}\n",
	 "registry.terraform.io/hashicorp/aws 5.1.0 2:11 locked\n"},
};

static const struct row others[] = {
	{"a wrap of an archive", "subprojects/zlib.wrap",
	 "[wrap-file]\ndirectory = zlib-1.3.1\nsource_url = https://x/zlib.tar.gz\nwrapdb_version = 1.3.1-2\n\n[provide]\nzlib = zlib_dep\n",
	 "zlib 1.3.1-2 2:13 locked\n"},
	{"a wrap without a version of the database", "a/subprojects/glib.wrap", "[wrap-file]\ndirectory = glib-2.80.0\n", "glib 2.80.0 2:13 locked\n"},
	{"a wrap of a repository", "subprojects/x.wrap", "# why\n[wrap-git]\nurl = https://github.com/o/liby.git\nrevision = head\n",
	 "x - 2:1 elsewhere\ngithub.com/o/liby - 3:15 as x\n"},
	{"a redirection", "subprojects/r.wrap", "[wrap-redirect]\nfilename = x/subprojects/r.wrap\n", ""},
	{"paket.dependencies", "paket.dependencies",
	 "source https://api.nuget.org/v3/index.json // why\nframework: net8.0\nnuget FSharp.Core ~> 4.7.2\nnuget A >= 1.0 < 2.0 prerelease\n  nuget B 1.5\nnuget C @~> 2 content: none\n"
	 "nuget D == 3.0.0\nnuget E\ngithub o/r src/a.fs\ngithub o/s:main\ngit https://h.org/o/t.git main\nhttp https://x/y.fs\ngroup Build\n  clitool F\n# nuget no\n",
	 "FSharp.Core >=4.7.2 <4.8 3:7\nA >=1.0 <2.0 4:7\nB [1.5] 5:9\nC >=2 6:7\nD [3.0.0] 7:7\nE - 8:7\ngithub.com/o/r - 9:8 elsewhere\ngithub.com/o/s - 10:8 elsewhere\n"
	 "h.org/o/t - 11:13\nF - 14:11\n? http https://x/y.fs 12:1 an address, which does not name its package\n"},
	{"paket.references", "paket.references", "FSharp.Core\nA content: none\ngroup Test\n  NUnit\nFile:x.fs .\n// B\n", "FSharp.Core - 1:1\nA - 2:1\nNUnit - 4:3\n"},
	{"paket.lock", "paket.lock",
	 "STORAGE: NONE\nNUGET\n  remote: https://api.nuget.org/v3/index.json\n    A (1.0) - restriction: >= net45\n      B (>= 2.0)\n    B (2.1.0-rc1)\nGITHUB\n  remote: o/r\n    a.fs (0123)\n"
	 "HTTP\n  remote: https://x\n    y.fs (/y)\n\nGROUP Build\nNUGET\n  remote: u\n    C (3.0)\n",
	 "A 1.0 4:5 locked\nB 2.1.0-rc1 6:5 locked\ngithub.com/o/r - 8:11 elsewhere\nC 3.0 17:5 locked\n? https://x 11:11 an address, which does not name its package\n"},
	{"project.assets.json", "obj/project.assets.json",
	 "{\"version\": 3, \"libraries\": {\"A/1.0.0\": {\"type\": \"package\"},\n\"b/2.0.0-rc\": {\"type\": \"package\"}, \"Own/1.0.0\": {\"type\": \"project\"}},\n"
	 "\"projectFileDependencyGroups\": {\"net8.0\": [\"a >= 1.0.0\"]}}",
	 "A 1.0.0 1:31 locked\nb 2.0.0-rc 2:2 transitive locked\n"},
	{"pixi.toml", "pixi.toml",
	 "[workspace]\nname = \"x\"\n[dependencies]\npython = \">=3.11,<3.13\"\nnumpy = { version = \"1.*\", channel = \"c\" }\nany = \"*\"\n[pypi-dependencies]\nFlask = { git = \"https://x/flask\" }\n"
	 "[feature.test.dependencies]\npytest = \"*\"\n[target.linux-64.dependencies]\nlibc = \"2\"\n[feature.cuda.target.linux-64.pypi-dependencies]\ntorch = \"==2.0\"\n"
	 "[package.build]\nbackend = { name = \"pixi-build-python\", version = \"0.1\" }\n[package.host-dependencies]\nhatch = \"*\"\n",
	 "python >=3.11,<3.13 4:1\nnumpy 1.* 5:1\nany - 6:1\nFlask - 8:1\nlibc 2 12:1\npytest - 10:1\ntorch ==2.0 14:1\nhatch - 18:1\npixi-build-python 0.1 16:21\n"},
	{"pixi in pyproject.toml", "pyproject.toml", "[tool.pixi.dependencies]\na = \"1\"\nown = { path = \".\" }\n[tool.pixi.feature.x.pypi-dependencies]\nb = \"*\"\n", "a 1 2:1\nb - 5:1\n"},
	{"pixi.lock", "pixi.lock",
	 "version: 6\nenvironments: {}\npackages:\n- conda: https://conda.anaconda.org/conda-forge/linux-64/_x-mutex-0.1-main_0.conda\n  sha256: aa\n- pypi: https://f.org/p/Flask-2.0-py3-none-any.whl\n  name: flask\n  version: '2.0'\n"
	 "- pypi: .\n- pypi: ./x\n- conda: https://x/what\n",
	 "_x-mutex 0.1 4:58 locked\nflask 2.0 7:9 locked\n? https://x/what 11:10 an address, which does not name its package\n"},
	{"pixi.lock, version 5", "pixi.lock", "version: 5\npackages:\n- kind: conda\n  name: a\n  version: '1.0'\n  url: https://x/a-1.0-0.conda\n- {kind: pypi, name: b, version: 2.0.1}\n",
	 "a 1.0 4:9 locked\nb 2.0.1 7:22 locked\n"},
	{"conda-lock.yml", "x.conda-lock.yml",
	 "version: 1\npackage:\n- name: a\n  version: 1.0.1\n  manager: conda\n- name: B_c\n  version: '2.0'\n  manager: pip\n", "a 1.0.1 3:9 locked\nB_c 2.0 6:9 locked\n"},
	{"an explicit lockfile", "conda-linux-64.lock",
	 "# platform: linux-64\n@EXPLICIT\nhttps://c.org/conda-forge/linux-64/a-b-1.0-0.tar.bz2#0123\nhttps://c.org/noarch/d-2.0-py_0.conda\n# pip e @ https://f.org/e-3.0-py3-none-any.whl\nhttps://c.org/x\n",
	 "a-b 1.0 3:36 locked\nd 2.0 4:22 locked\ne 3.0 5:7 locked\n? https://c.org/x 6:1 an address, which does not name its package\n"},
	{"conda: versions in brackets", "environment.yml", "dependencies:\n- a[version='>=1.0,<2', build=x]\n- b[build=y, version=1.5]\n- c[subdir=z]\n",
	 "a >=1.0,<2 2:3\nb 1.5 3:3\nc - 4:3\n"},
};

static const struct row bad[] = {
	{"a wrap without a section", "subprojects/x.wrap", "directory = x\n", "no section [wrap-file]"},
	{"a package without a version", "paket.lock", "NUGET\n  remote: x\n    A\n", "line 3, column 5: 'A' is no package"},
	{"nothing behind nuget", "paket.dependencies", "nuget\n", "nuget has no package"},
	{"a library without a version", "project.assets.json", "{\"libraries\": {\"A\": {}}}", "'A' is no package with its version"},
	{"a package of another type", "pixi.toml", "[dependencies]\na = 1\n", "dependencies.a is a number"},
	{"a package without a name", "conda-lock.yml", "package: [{version: 1}]\n", "a package has no name"},
	{"a lock that is cut", ".terraform.lock.hcl", "provider \"a/b\" {\n", "a provider must have its address, and a block"},
};
/* clang-format on */

int main(void)
{
	struct arena *a = arena_new();

	reads(a, mix, ARRAY_SIZE(mix));
	reads(a, swift, ARRAY_SIZE(swift));
	reads(a, terraform, ARRAY_SIZE(terraform));
	reads(a, others, ARRAY_SIZE(others));
	refuses(a, bad, ARRAY_SIZE(bad));
	arena_free(a);
	return tap_done();
}
