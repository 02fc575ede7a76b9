/*
 * Every setting, once: key, type, default (JSON), whether a repository may say it, help.
 * The environment's name is derived: check.minSeverity is IKM_CHECK_MIN_SEVERITY.
 */
#define CONF_SETTINGS(X)                                                                           \
	X("check.maxFileSize", INT, "8388608", true,                                               \
	  "code rules skip files of more bytes, and say so")                                       \
	X("check.minSeverity", STR, "\"warn\"", true, "report violations from this severity on")   \
	X("files.roots", STRS, "[]", false, "folders that tools may touch")                        \
	X("knowledge.requires", STRS, "[]", true,                                                  \
	  "layers that must have a source that can be read")                                       \
	X("knowledge.sources", OBJECTS, "[]", true,                                                \
	  "where decisions are: a list of {layer, path, ref, type}")
