# Reads the memories of another program, and prints them as lines for `ikm mem import`, on standard
# error what cannot be taken over: {"file", "line", "what", "whole"}. ikm runs it with one argument,
# a JSON object (lib/memory/memory/foreign.c), and with the file as standard input. The same input gives the
# same ids, so that a second import adds nothing. Python's standard library is all that it needs.
import datetime
import hashlib
import json
import os
import re
import stat
import sys

how = json.loads(sys.argv[1])
KINDS = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list",
         dict: "an object", type(None): "null"}
BLANKS = " \t\r\n\v\f"


class Wrong(Exception):
    pass


class Source:
    """A file that is read; created: its time in ms, for what tells no time."""

    def __init__(self, name, created):
        self.name, self.created = name, min(created, how["now"])

    def leave(self, line, what, whole=True):
        print(json.dumps({"file": self.name, "line": line, "what": what, "whole": int(whole)}),
              file=sys.stderr)

    def leave_others(self, line, record, known):
        for key in record:
            if key not in known and record[key] is not None:
                self.leave(line, f"the member '{one_line(key)}' is not kept", False)

    def add(self, line, key, content, type="", tags=(), metadata=None, source="", created=0,
            updated=0, expires=0):
        """key: what the memory has in the other program, and has again the next time."""
        kept = {"memoryId": made_id(created, key, how["kind"], type, content), "content": content,
                "type": type, "source": head(source, how["name"]), "tags": sorted(set(tags)),
                "provenance": "import"}
        created = created or self.created
        updated = max(updated, created)
        kept.update(createdAt=time_text(created), updatedAt=time_text(updated),
                    happenedAt=time_text(created))
        if expires:
            kept["expiresAt"] = time_text(expires)
        if metadata:
            kept["metadata"] = metadata
        try:
            check(kept)
            print(json.dumps({k: v for k, v in kept.items() if v not in ("", [])},
                             ensure_ascii=False, allow_nan=False))
        except UnicodeEncodeError:
            self.leave(line, "it has half of a surrogate pair, which is no character")
        except ValueError:
            self.leave(line, "a number of it is out of range")
        except Wrong as e:
            self.leave(line, str(e))


def check(kept):
    """What ikm would refuse, so that one memory does not end the import of all."""
    most = how["content"]
    json.dumps(kept, ensure_ascii=False).encode()
    for name in ("content", "metadata"):
        text = kept.get(name, "-")
        n = len((text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)).encode())
        if n > most:
            raise Wrong(f"{name} has {n} bytes; at most {most} are allowed")
    if not kept["content"].strip(BLANKS):
        raise Wrong("content is only blanks" if kept["content"] else "content is empty")
    if len(kept["tags"]) > how["tags"]:
        raise Wrong(f"tags: the memory would have {len(kept['tags'])}; "
                    f"at most {how['tags']} are allowed")


def made_id(created, *parts):
    h = hashlib.sha256()
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        h.update(len(text).to_bytes(8, "big") + text)
    n = int.from_bytes(max(created, 0).to_bytes(6, "big") + h.digest()[:10], "big")
    return "mem_" + "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[n >> 5 * i & 31]
                            for i in range(25, -1, -1))


def head(text, most):
    """The first bytes, without a part of a character."""
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


def one_line(text):
    return re.sub(r"[\0-\x1f]", " ", head(text.strip(BLANKS), how["name"]))


def time_text(ms):
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return at.isoformat(timespec="milliseconds") + "Z"


def time_read(text):
    """In ms; None: it is no time. A date alone is midnight UTC."""
    form = r"\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d))?"
    if not isinstance(text, str) or not re.fullmatch(form, text, re.ASCII):
        return None
    # Older versions of Python know neither Z nor other than three or six digits.
    text = re.sub(r"\.(\d+)", lambda m: "." + m[1][:6].ljust(6, "0"), text)
    text = re.sub("[Zz]$", "+00:00", text)
    try:
        at = datetime.datetime.fromisoformat(text)
        at = at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)
        start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        return (at - start) // datetime.timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return None


def past(text):
    ms = time_read(text)
    return ms if ms is not None and ms <= how["now"] else None


# ---- JSON ----

def pairs(members):
    seen = dict(members)
    if len(seen) != len(members):
        raise Wrong("an object has a member twice")
    return seen


def no_number(name):
    raise Wrong(f"{name} is no number of JSON")


decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_constant=no_number)


def decode(text, at):
    """A value, and where it ends."""
    try:
        return decoder.raw_decode(text, at)
    except json.JSONDecodeError as e:
        raise Wrong(f"no JSON at column {e.colno}: {e.msg}" if "\n" not in text.strip(BLANKS) else f"no JSON: {e}") from e
    except RecursionError as e:
        raise Wrong("it is nested too deep") from e


def blanks(text, at):
    return re.compile(r"[ \t\r\n]*").match(text, at).end()


def items(text, at):
    """Of the list or object that begins here: key, value, place of the value. It is valid JSON."""
    at, key, is_map = blanks(text, at + 1), None, text[at] == "{"
    while text[at] not in "]}":
        if is_map:
            key, at = decode(text, at)
            at = blanks(text, blanks(text, at) + 1)
        value, end = decode(text, at)
        yield key, value, at
        at = blanks(text, end)
        if text[at] == ",":
            at = blanks(text, at + 1)


# ---- the MCP reference memory server: a JSON object a line ----

def mcp_entity(f, line, record):
    name, entity_type, all_said = (record.get(k) for k in ("name", "entityType", "observations"))
    entity_type = one_line(entity_type) if isinstance(entity_type, str) else ""
    if not isinstance(name, str) or not name.strip(BLANKS):
        return f.leave(line, "the entity has no name")
    f.leave_others(line, record, ("type", "name", "entityType", "observations"))
    if all_said is not None and not isinstance(all_said, list):
        return f.leave(line, f"observations is {KINDS[type(all_said)]}, not a list")
    if not all_said and not entity_type:
        return f.leave(line, "the entity has no observation and no type")
    metadata = {"entity": name}
    if entity_type:
        metadata["entityType"] = entity_type
    for i, said in enumerate(all_said or [f"{name} is a {entity_type}"]):
        if not isinstance(said, str):
            f.leave(line, f"observation {i + 1} is {KINDS[type(said)]}, not a text")
            continue
        # An observation names its entity seldom, and nobody finds it without.
        f.add(line, "mcp:" + one_line(name), said if name in said else f"{name}: {said}",
              "observation", [entity_type] if entity_type else [], metadata,
              "mcp:" + one_line(name))


def mcp_relation(f, line, record):
    start, how_related, end = (record.get(k) for k in ("from", "relationType", "to"))
    if not all(isinstance(x, str) and x.strip(BLANKS) for x in (start, how_related, end)):
        return f.leave(line, "the relation needs from, to and relationType")
    f.leave_others(line, record, ("type", "from", "to", "relationType"))
    source = "mcp:" + one_line(start)
    f.add(line, source, f"{start} {how_related.replace('_', ' ')} {end}", "relation", (),
          {"from": start, "to": end, "relationType": how_related}, source)


def read_mcp(f, data):
    for line, text in enumerate(data.split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            text = text.decode().strip(BLANKS)
            record, end = decode(text, 0)
            if end != len(text):
                raise Wrong(f"column {end + 1}: more follows the object")
        except (UnicodeDecodeError, Wrong) as e:
            f.leave(line, "it is no UTF-8" if isinstance(e, UnicodeDecodeError) else str(e))
            continue
        kind = record.get("type") if isinstance(record, dict) else None
        if kind == "entity":
            mcp_entity(f, line, record)
        elif kind == "relation":
            mcp_relation(f, line, record)
        else:
            f.leave(line, "it is no object with the type entity or relation")


# ---- mem0: what get_all() returns ----

MEM0_HOW = "; give what get_all() of mem0 returns, written with json.dump()"
MEM0_KEPT = ("id", "user_id", "agent_id", "run_id", "app_id", "hash", "actor_id", "role")


def mem0_time(f, line, record, name):
    ms = past(record.get(name))
    if ms is None and record.get(name) is not None:
        f.leave(line, f"{name} is no past time in ISO 8601", False)
    return ms or 0


def mem0_metadata(f, line, record):
    given, own = record.get("metadata"), {}
    if given is not None and not isinstance(given, dict):
        f.leave(line, f"metadata is {KINDS[type(given)]}, not an object", False)
        given = None
    given = dict(given or {})
    own = {key: record[key] for key in MEM0_KEPT if record.get(key) is not None}
    if "mem0" in given:
        f.leave(line, "the metadata has a member 'mem0' already", False)
    elif own:
        given["mem0"] = own
    return given


def mem0_memory(f, line, record):
    text = record.get("memory") if isinstance(record, dict) else None
    if not isinstance(text, str) or not text.strip(BLANKS):
        return f.leave(line, "it has no text in the member 'memory'")
    f.leave_others(line, record, MEM0_KEPT + ("memory", "metadata", "created_at", "updated_at",
                                              "categories", "score", "expiration_date"))
    created, updated = (mem0_time(f, line, record, n) for n in ("created_at", "updated_at"))
    expires = time_read(record.get("expiration_date"))
    if expires is None and record.get("expiration_date"):
        f.leave(line, "expiration_date is no date", False)
    tags = record.get("categories")
    tags = [one_line(t) for t in tags if isinstance(t, str)] if isinstance(tags, list) else []
    key = record.get("id")
    source = "mem0:" + one_line(key) if isinstance(key, str) and key else "mem0"
    f.add(line, source, text, "", [t for t in tags if t], mem0_metadata(f, line, record), source,
          created, updated, expires or 0)


def mem0_relation(f, line, record):
    record = record if isinstance(record, dict) else {}
    start, how_related = record.get("source"), record.get("relationship")
    end = record.get("target") or record.get("destination")
    if not all(isinstance(x, str) and x for x in (start, how_related, end)):
        return f.leave(line, "the relation needs source, relationship and target")
    f.add(line, "mem0", f"{start} {how_related.replace('_', ' ')} {end}", "relation", (), None,
          "mem0")


def read_mem0(f, text):
    def line_of(at):
        return text.count("\n", 0, at) + 1

    def each(at):
        for _, record, place in items(text, at):
            mem0_memory(f, line_of(place), record)

    start, found = blanks(text, 0), False
    try:
        if decode(text, start)[1] != len(text.rstrip(" \t\r\n")):
            raise Wrong("more follows the value")
        if text[start] == "[":
            return each(start)
        if text[start] == "{":
            for key, value, at in items(text, start):
                if key == "results" and isinstance(value, list):
                    found = True
                    each(at)
                elif key == "relations" and isinstance(value, list):
                    for _, record, place in items(text, at):
                        mem0_relation(f, line_of(place), record)
                elif key == "next" and value:
                    f.leave(line_of(at), "there are more pages, at 'next'")
                elif key not in ("count", "next", "previous") and value is not None:
                    f.leave(line_of(at), f"the member '{one_line(key)}' is not kept", False)
        if not found:
            f.leave(line_of(start), "it has no list 'results'" + MEM0_HOW)
    except Wrong as e:
        f.leave(0, str(e) + MEM0_HOW)


# ---- Markdown notes ----

def scalar(text):
    """A value of YAML in one line: a text, or a list of texts. Wrong: what this does not read."""
    text = text.strip(BLANKS)
    flow = re.fullmatch(r"\[(.*)\](?:\s+#.*)?", text)
    if flow:
        return [scalar(part) for part in flow[1].split(",") if part.strip(BLANKS)]
    if text[:1] == '"':
        value, end = decode(text, 0)
        return value if end == len(text) or text[end:].lstrip()[:1] == "#" else no_yaml(text)
    quoted = re.fullmatch(r"'((?:[^']|'')*)'(?:\s+#.*)?", text)
    if quoted:
        return quoted[1].replace("''", "'")
    if text[:1] in tuple("&*!{[|>%@`'"):
        no_yaml(text)
    return re.sub(r"\s+#.*", "", text)


def no_yaml(text):
    raise Wrong(f"the value '{one_line(text)}' has a form of YAML that this import does not know")


def front_members(lines):
    """The members of a front matter: key, value, offset of its line. An indented line belongs to
    the member above it, and so does the item of a list."""
    groups = []
    for i, line in enumerate(lines):
        if not line.strip(BLANKS) or line.lstrip()[0] == "#":
            continue
        if groups and (line[0] in " \t" or line[:2] == "- " or line == "-"):
            groups[-1][1].append(line)
        else:
            groups.append((line, [], i))
    for line, below, i in groups:
        key, colon, value = line.partition(":")
        if not colon or (value and value[0] not in " \t"):
            yield None, line, i
        elif below and all(b.lstrip()[:1] == "-" for b in below) and not value.strip(BLANKS):
            yield key.strip(BLANKS), [b.strip(BLANKS)[1:] for b in below], i
        elif below and value.strip(BLANKS)[:1] in ("|", ">"):
            glue = "\n" if value.strip(BLANKS)[0] == "|" else " "
            yield key.strip(BLANKS), json.dumps(glue.join(b.strip(BLANKS) for b in below)), i
        elif below and not value.strip(BLANKS):
            yield key.strip(BLANKS), {}, i
        else:
            yield key.strip(BLANKS), " ".join([value, *(b.strip(BLANKS) for b in below)]), i


class Note:
    def __init__(self, f):
        self.f, self.type, self.permalink, self.created, self.tags = f, "", "", 0, []
        base = f.name.rpartition("/")[2]
        self.index = base == "MEMORY.md"
        self.title = one_line(base.rpartition(".")[0] or base)
        self.heading, self.text, self.line = "", [], 1

    def front(self, lines):
        for key, value, i in front_members(lines):
            try:
                if key is None:
                    raise Wrong("the line is no 'member: value'")
                self.member(i + 2, one_line(str(scalar(key))), value)
            except Wrong as e:
                self.f.leave(i + 2, f"the front matter is not read here: {e}", False)

    def member(self, line, key, value):
        known = ("tags", "created", "date", "title", "name", "type", "permalink", "description")
        if key in known and not isinstance(value, dict):
            value = [scalar(v) for v in value] if isinstance(value, list) else scalar(value)
        if key == "tags" and not isinstance(value, dict):
            value = value if isinstance(value, list) else value.split(",")
            self.tags = [one_line(t) for t in value if isinstance(t, str) and t.strip(BLANKS)]
        elif key in ("created", "date"):
            self.created = past(value) or 0
            if not self.created:
                self.f.leave(line, f"'{key}' is no past time in ISO 8601", False)
        elif key in known and isinstance(value, str) and value:
            if key == "description":
                self.text.append(value)
            else:
                setattr(self, "title" if key == "name" else key, one_line(value))
        else:
            self.f.leave(line, f"the member '{key}' of the front matter is not kept", False)

    def add(self, line, content, type, tags, member, value):
        metadata = {"title": self.title, "permalink": self.permalink, "noteType": self.type,
                    member: value}
        self.f.add(line, self.permalink or self.f.name, content, type, [*tags, *self.tags],
                   {k: v for k, v in metadata.items() if v}, "notes:" + self.f.name, self.created)

    def end_section(self):
        """The section's text becomes a memory, unless there is none."""
        text = "\n".join(self.text).strip(BLANKS)
        if text:
            behind = f", {self.heading}" if self.heading not in ("", self.title) else ""
            self.add(self.line, f"{self.title}{behind}:\n{text}", "", [], "section", self.heading)
        self.text = []

    def is_item(self, line, text):
        """An observation, a relation or an entry of the index."""
        item = re.match(r"[ \t]*[-*+] +(.*)", text)
        item = item[1].strip(BLANKS) if item else ""
        if self.index and item[:1] == "[" and ".md)" in item:
            self.f.leave(line, "an entry of the index; its file is read by itself", False)
            return True
        # "[ ]" and "[x]" are check boxes, and "[text](target)" is a link.
        seen = re.fullmatch(r"\[([^\[\]][^\]]*)\](?: (.*))?", item)
        if seen and seen[1].strip(BLANKS) and seen[1].strip(BLANKS) not in "xX-" and (seen[2] or "").strip(BLANKS):
            said = seen[2].strip(BLANKS)
            tags = [one_line(w[1:]) for w in said.split(" ") if re.match("#[^#]", w)]
            kind = one_line(seen[1])
            self.add(line, f"{self.title}: {said}", kind, tags, "category", kind)
            return True
        seen = re.fullmatch(r"(.*?)\[\[(.*?)\]\](.*)", item)
        if not seen or not seen[2].strip(BLANKS) or seen[3].strip(BLANKS)[:1] not in ("", "("):
            return False
        said = [self.title, seen[1].strip(BLANKS) or "relates to", seen[2].strip(BLANKS), seen[3].strip(BLANKS)]
        self.add(line, " ".join(w for w in said if w), "relation", [], "target", said[2])
        return True


def read_notes(f, text):
    lines, note, first, fence = text.split("\n"), Note(f), 0, ""
    lines = [line[:-1] if line.endswith("\r") else line for line in lines]
    if lines[0].rstrip() == "---":
        ends = [i for i, line in enumerate(lines) if i and line.rstrip() in ("---", "...")]
        if ends:
            first = ends[0] + 1
            note.front(lines[1:ends[0]])
        else:
            f.leave(1, "the front matter never ends", False)
    for line, text in enumerate(lines[first:], first + 1):
        mark = re.match(r"[ \t]*(`{3,}|~{3,})(.*)", text)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip(BLANKS):
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        else:
            heading = re.fullmatch(r"#{1,6}(?: (.*))?", text)
            if heading:
                note.end_section()
                note.heading, note.line = one_line(heading[1] or ""), line
                continue
            if note.is_item(line, text):
                continue
        if not note.text:
            note.line = line
        note.text.append(text)
    note.end_section()


def is_note(name):
    return name.endswith((".md", ".markdown"))


def read_folder(top, below, depth):
    """Links are not followed: one may lead in a circle."""
    found = False
    try:
        names = sorted(os.listdir(os.path.join(top, below)))
    except OSError as e:
        Source(below, 0).leave(0, f"cannot list '{os.path.join(top, below)}': {e.strerror}")
        return True
    for name in names:
        if name.startswith("."):
            continue
        name = below + "/" + name if below else name
        path = os.path.join(top, name)
        f = Source(name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), 0)
        before, found, effort = found, True, "look at"
        try:
            st = os.lstat(path)
            effort = "read"
            if stat.S_ISDIR(st.st_mode) and depth < 32:
                found = read_folder(top, name, depth + 1) or before
            elif stat.S_ISREG(st.st_mode) and is_note(name):
                with open(path, "rb") as data:
                    read(Source(f.name, st.st_mtime_ns // 10**6), data, st.st_size, "notes")
            elif stat.S_ISDIR(st.st_mode):
                f.leave(0, "the folder is too deep")
            elif stat.S_ISLNK(st.st_mode) and (is_note(name) or os.path.isdir(path)):
                f.leave(0, "a symbolic link, which is not followed")
            elif is_note(name):
                f.leave(0, "no regular file")
            else:
                found = before
        except OSError as e:
            f.leave(0, f"cannot {effort} '{path}': {e.strerror}")
    return found


def read(f, data, size, form):
    if size > how["bytes"]:
        return f.leave(0, f"it has {size} bytes; at most {how['bytes']} are read")
    data = data.read()
    if form == "mcp":
        return read_mcp(f, data)
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        return f.leave(data.count(b"\n", 0, e.start) + 1, "this is not UTF-8 text; convert it: iconv -f ENCODING -t UTF-8 FILE")
    if form == "mem0":
        return read_mem0(f, text)
    return read_notes(f, text)


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
sys.stderr.reconfigure(encoding="utf-8", newline="\n")
if how["folder"]:
    sys.exit(0 if read_folder(how["path"], "", 0) else 3)
st = os.fstat(0)
read(Source(how["path"], st.st_mtime_ns // 10**6), sys.stdin.buffer, st.st_size, how["format"])
