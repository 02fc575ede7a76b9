/*
 * All settings, a row for each, sorted by key. A row has the member of struct conf, its C type, the
 * key, and the default as written for -c. Members of struct conf_setting follow. conf.h derives
 * struct conf from these rows, and conf.c the readers and checks. lib/core/cmd derives the manual,
 * the help and completion. The name of the environment variable comes from the member:
 * check_min_severity is IKM_CHECK_MIN_SEVERITY.
 */
/* clang-format off */
SETTING(agent_id, struct str, "agent.id", "default", NAME(256),
	.help = "the agent that uses ikm; its pins and its budget apply")
SETTING(asset_summarizer, struct strs, "asset.summarizer", "[]",
	.help = "a program that may shorten a pinned asset when a write would exceed assets.budget, "
		"and its arguments")
SETTING(asset_summarizer_timeout, int64_t, "asset.summarizerTimeout", "30000",
	RANGE(1, INT32_MAX, "milliseconds"), .help = "how long the summarizer may take")
SETTING(assets_budget, int64_t, "assets.budget", "100000", RANGE(0, 1000000000, "tokens"),
	.help = "how many tokens the pins of an agent may have")
SETTING(assets_keep_days, int64_t, "assets.keepDays", "365", RANGE(0, 36500, "days"),
	.help = "how long former versions of assets are kept")
SETTING(assets_keep_versions, int64_t, "assets.keepVersions", "100", RANGE(0, 1000000, "versions"),
	.help = "how many former versions of an asset are kept")
SETTING(check_agent_protected, unsigned, "check.agentProtected", "deny", REPO, WORDS(CONF_AGENTS),
	.help = "what happens to an agent's edit of rules, settings, exemptions or hooks, by ikm's "
		"own tools and in a host that cannot ask")
SETTING(check_agent_writes, unsigned, "check.agentWrites", "deny", REPO, WORDS(CONF_WRITES),
	.help = "what happens to a change by ikm's own tools that breaks a blocking rule")
SETTING(check_garden, struct str, "check.garden", "", REPO, FOLDER(4096),
	.help = "the folder of this repository that is a garden, or '.' for its top: every change of "
		"the garden is judged by its policy")
SETTING(check_lost_rules, unsigned, "check.lostRules", "block", REPO, BLOCK_OR_WARN,
	.help = "whether a change that makes a blocking rule disappear without retiring it blocks "
		"or warns")
SETTING(check_max_file_size, int64_t, "check.maxFileSize", "8388608", REPO,
	RANGE(1, 1 << 30, "bytes"), .help = "code rules skip larger files and report them")
SETTING(check_min_rules, int64_t, "check.minRules", "0", REPO, RANGE(0, 1000000, "rules"),
	.help = "every check blocks when fewer rules are in force")
SETTING(check_min_severity, unsigned, "check.minSeverity", CONF_MIN_SEVERITY, REPO, WORDS(CONF_SEVERITIES),
	.help = "the lowest severity that is reported")
SETTING(check_new_waivers, unsigned, "check.newWaivers", "warn", REPO, WORDS(CONF_WAIVERS),
	.help = "what an exception, or an exemption in .gitattributes, counts that a person's "
		"change adds: ignore: nothing; warn: it "
		"counts and is reported; count: it counts")
SETTING(check_retire, unsigned, "check.retire", "commit", REPO, WORDS(CONF_RETIRES),
	.help = "what ends a rule for later commits: an earlier commit of the same change, or only a "
		"commit that is merged already")
SETTING(check_unjudged, unsigned, "check.unjudged", "warn", REPO, BLOCK_OR_WARN,
	.help = "whether a change that a blocking rule cannot read blocks or warns, "
		"such as a link, a submodule, or a manifest that ikm cannot read")
SETTING(expand_max_bytes, int64_t, "expand.maxBytes", "1048576", RANGE(0, 1 << 30, "bytes"),
	.help = "how many bytes one marker in a prompt may expand to")
SETTING(expand_max_total, int64_t, "expand.maxTotal", "8388608", RANGE(0, 1 << 30, "bytes"),
	.help = "how many bytes a whole prompt may expand to")
SETTING(files_roots, struct conf_parts, "files.roots", "[]",
	.help = "the folders that tools may use, instead of the repository")
SETTING(garden_commit, unsigned, "garden.commit", "on", WORDS(CONF_SWITCH),
	.help = "whether a write in the garden makes a Git commit of the file")
SETTING(garden_path, struct str, "garden.path", "", NAME(4096),
	.help = "the folder of the garden; the default is the folder garden in ikm's home")
SETTING(garden_readers, unsigned, "garden.readers", "own", WORDS(CONF_READERS),
	.help = "whose folders of the garden tools read: own: that of the user; all: those of other "
		"users too")
SETTING(knowledge_requires, struct conf_parts, "knowledge.requires", "[]", REPO,
	WORDS(CONF_LAYERS), .help = "layers that must have a readable source")
SETTING(knowledge_sources, struct conf_parts, "knowledge.sources", "[]", REPO, .objects = true,
	.help = "the sources of decisions: each has a path, and may have layer, ref, type, files")
SETTING(lint_disable, struct strs, "lint.disable", "[]", REPO,
	.help = "rules of 'ikm lint' that are switched off; 'ikm lint --list-rules' lists all")
SETTING(mcp_result_tokens, int64_t, "mcp.resultTokens", "10000", RANGE(1000, 100000, "tokens"),
	.help = "how long an answer over MCP may be; the rest is cut. A call can ask for more or "
		"less")
SETTING(memory_company, struct str, "memory.company", "", LINE(256),
	.help = "the identifier of your company, for the memory layer company")
SETTING(memory_embedder, struct strs, "memory.embedder", "[]",
	.help = "a program that computes embeddings, and its arguments")
SETTING(memory_embedder_timeout, int64_t, "memory.embedderTimeout", "2000",
	RANGE(1, INT32_MAX, "milliseconds"), .help = "how long the embedder may take in a search")
SETTING(memory_max_bytes, int64_t, "memory.maxBytes", "65536",
	RANGE(1, CONF_MEMORY_MAX, "bytes"), .help = "how long one memory may be")
SETTING(memory_org, struct str, "memory.org", "", LINE(256),
	.help = "the identifier of your organisation, for the memory layer org")
SETTING(memory_project, struct str, "memory.project", "", LINE(4096),
	.help = "the identifier of the project, for the memory layer project; the default is the "
		"repository's origin")
SETTING(memory_recency_conversation, int64_t, "memory.recencyConversation", "7", RECENCY,
	.help = "the age at which a conversation has a third of the weight of a new conversation")
SETTING(memory_recency_episodic, int64_t, "memory.recencyEpisodic", "30", RECENCY,
	.help = "the age at which an episodic memory has a third of the weight of a new memory")
SETTING(memory_recency_scratch, int64_t, "memory.recencyScratch", "3", RECENCY,
	.help = "the age at which a scratch note has a third of the weight of a new note")
SETTING(memory_recency_semantic, int64_t, "memory.recencySemantic", "365", RECENCY,
	.help = "the age at which a semantic memory has a third of the weight of a new memory")
SETTING(memory_recency_working, int64_t, "memory.recencyWorking", "1", RECENCY,
	.help = "the age at which a working memory has a third of the weight of a new memory")
SETTING(memory_team, struct str, "memory.team", "", LINE(256),
	.help = "the identifier of your team, for the memory layer team")
SETTING(session, struct str, "session", "", LINE(256),
	.help = "the identifier of the conversation that changes belong to")
SETTING(sync_assets, bool, "sync.assets", "false",
	.help = "stored assets are shared between your machines, too")
SETTING(sync_events, unsigned, "sync.events", "off", WORDS(CONF_RECORD),
	.help = "auto: each change is sent with the record of changes as it is made, if the "
		"server answers within 200 ms; off: only 'ikm sync now' sends it")
SETTING(sync_layers, struct strs, "sync.layers", "project,team,org,company",
	WORDS(CONF_MEMORY_LAYERS),
	.help = "the layers whose memories leave this machine; memories that are sensitive never do")
SETTING(sync_tenant, struct str, "sync.tenant", "", LINE(256),
	.help = "the organisation whose members share memories on the server")
SETTING(sync_timeout, int64_t, "sync.timeout", "10000", RANGE(100, 3600000, "milliseconds"),
	.help = "how long the server may take to connect, and for one statement")
SETTING(sync_url, struct str, "sync.url", "", LINE(4096), .server = true,
	.help = "the PostgreSQL server of sync, without a password; the default is what libpq's own "
		"variables and files name")
SETTING(sync_users, struct strs, "sync.users", "[]",
	.help = "other values that the setting user had: memories that were made under them are yours")
SETTING(tokens_model, unsigned, "tokens.model", "o200k", WORDS(CONF_TOKENS),
	.help = "the tokenizer for the estimates of tokens")
SETTING(tools_bash, bool, "tools.bash", "false", .help = "tools may run shell commands")
SETTING(tools_external, bool, "tools.external", "false",
	.help = "the user's programs are offered as tools, over MCP too")
SETTING(tools_override, struct strs, "tools.override", "[]",
	.help = "ikm's own tools that a program of the same name may replace")
SETTING(tools_timeout, int64_t, "tools.timeout", "30000", RANGE(1, 86400000, "milliseconds"),
	.help = "how long a tool or a shell command may take")
SETTING(trace_keep_days, int64_t, "trace.keepDays", "30", RANGE(0, 36500, "days"),
	.help = "how long the turn trace is kept; 0 keeps none")
SETTING(undo_bytes, int64_t, "undo.bytes", "268435456", RANGE(0, INT64_C(1) << 40, "bytes"),
	.help = "how many bytes of the former contents of changed files are kept")
SETTING(undo_days, int64_t, "undo.days", "30", RANGE(0, 36500, "days"),
	.help = "how long the former contents of changed files are kept; with 0 changes by tools are "
		"not recorded")
SETTING(user, struct str, "user", "", NAME(256),
	.help = "the person who uses ikm; the default is the login name")
