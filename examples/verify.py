#!/usr/bin/env python3
"""Verifies what 'ikm events export' prints, without ikm: a second program that reads ikm-formats(5).

  verify.py --checkpoint STAMP --public-key KEY.pem <RECORD   with the public key alone
  verify.py --keys DIR <RECORD                                each MAC, with the folder of the keys

'ikm events checkpoint' prints STAMP, and with --public-key KEY.pem. The program openssl verifies
Ed25519. Exit status: 0 proven, 1 contradicted, 2 nothing was proven.
"""
import argparse, base64, hashlib, hmac, json, os, subprocess, sys, tempfile

COLUMNS = """seq event_id number step schema_version machine_id ts user_id agent_id session_id tool
entity_type entity_id type op section_anchor file_path path_to rationale before_hash after_hash
before_mode after_mode evidence_refs lint change undoes idempotency_key transaction_id tool_call_id
agent_action_id error commit_oid integrity_line_hash integrity_salt_version chain_prev face
client""".split()


class Contradicted(Exception):
    pass


def cells(data):
    """The columns, by name, of the bytes under a MAC."""
    at, values = data.index(b",") + 1, []
    if data[:at] != b"ikm-event-1,":
        raise Contradicted("a row does not begin with 'ikm-event-1,'")
    while at < len(data):
        kind = data[at:at + 1]
        end = data.index(b":" if kind in (b"t", b"b") else b",", at)
        value = data[at + 1:end]
        if kind in (b"t", b"b"):
            begin, end = end + 1, end + 1 + int(value)
            value = data[begin:end].decode(errors="surrogateescape")
        else:
            value = int(value) if kind == b"i" else None
        if data[end:end + 1] != b",":
            raise Contradicted("a column does not end with a comma")
        values.append(value)
        at = end + 1
    return dict(zip(COLUMNS, values))


def read_rows(lines):
    for line in lines:
        row = json.loads(line)
        text = row["bytes"]
        data = base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode()
        yield cells(data), data, row.get("chain_hash")


class Keys:
    def __init__(self, folder):
        self.folder, self.known = folder, {}

    def mac(self, version, data):
        if version not in self.known:
            with open(os.path.join(self.folder, f"event-{int(version)}.key")) as f:
                self.known[version] = bytes.fromhex(f.read().strip())
        return "hmac:" + hmac.new(self.known[version], data, hashlib.sha256).hexdigest()


def check_rotation(keys, row):
    """The row of a rotation has a MAC by the next key, too."""
    turn = json.loads(row["change"])
    form = "ikm-rotation-1," + "".join(
        f"i{int(n)}," for n in (turn["from"], turn["to"], turn["lost"]))
    form += f"t{len(row['chain_prev'])}:{row['chain_prev']},i{row['seq']},"
    if keys.mac(turn["to"], form.encode()) != turn["mac"]:
        raise Contradicted(f"row {row['seq']}: the rotation has no MAC by key {turn['to']}")


def check_rows(lines, keys):
    """Whether each row continues the one before. The chain_hash of each row, by its number."""
    chain, before, covered, last = {}, 0, hashlib.sha256(), None
    for row, data, chain_hash in read_rows(lines):
        seq = row["seq"]
        if last is not None and seq != last + 1:
            raise Contradicted(f"row {seq} follows row {last}: rows are missing")
        if not chain_hash:
            if chain:
                raise Contradicted(f"row {seq} has no MAC")
            covered.update(data)
            before += 1
        else:
            if chain and row["chain_prev"] != chain[last]:
                raise Contradicted(f"row {seq} does not continue row {last}")
            if row["op"] == "begin" and seq == before + 1:
                want = {"rows": before, "sha256": covered.hexdigest()}
                if json.loads(row["change"]) != want:
                    raise Contradicted(f"row {seq}: the rows before the chain were changed")
            if keys and keys.mac(row["integrity_salt_version"], data) != chain_hash:
                raise Contradicted(f"row {seq} was changed: its MAC does not fit")
            if keys and row["step"] == "rotation" and row["op"] == "rotate":
                check_rotation(keys, row)
            chain[seq] = chain_hash
        last = seq
    return chain, last


def check_checkpoint(path, key, chain):
    with open(path, "rb") as f:
        signed, _, signature = f.read().partition(b"signature ")
    said = dict(line.split(" ", 1) for line in signed.decode().splitlines())
    with tempfile.TemporaryDirectory() as d:
        for name, data in ("signed", signed), ("signature", base64.b64decode(signature)):
            with open(os.path.join(d, name), "wb") as f:
                f.write(data)
        done = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in",
             os.path.join(d, "signed"), "-sigfile", os.path.join(d, "signature")],
            capture_output=True, check=False)
    if done.returncode:
        raise Contradicted("the checkpoint has no signature by that public key")
    if chain.get(int(said["seq"])) != said["chain"]:
        raise Contradicted(f"row {said['seq']} is missing, or is not the row that was signed")
    return said


def main():
    ask = argparse.ArgumentParser(description=__doc__,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--checkpoint")
    ask.add_argument("--public-key")
    ask.add_argument("--keys")
    ask.add_argument("record", nargs="?", default="-")
    args = ask.parse_args()
    if bool(args.checkpoint) != bool(args.public_key):
        ask.error("--checkpoint and --public-key need each other")
    keys = Keys(args.keys) if args.keys else None
    with sys.stdin if args.record == "-" else open(args.record, encoding="utf-8") as lines:
        chain, last = check_rows(lines, keys)
    if not chain:
        print("not proven: no row has a MAC")
        return 2
    first = min(chain)
    print(f"rows {first} to {last}: each names the MAC of the row before")
    if args.checkpoint:
        said = check_checkpoint(args.checkpoint, args.public_key, chain)
        print(f"proven by the public key: the checkpoint of {said['time']} signs the end at row "
              f"{said['seq']}; rows behind it: {last - int(said['seq'])}")
    if keys:
        print(f"proven by the keys: the MACs of {len(chain)} rows")
    else:
        print("not proven: the MACs of the rows, which need --keys DIR")
    return 0 if args.checkpoint or keys else 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Contradicted as e:
        print(f"contradicted: {e}")
        sys.exit(1)
    except (OSError, ValueError, KeyError, TypeError) as e:
        print(f"verify.py: {type(e).__name__}: {e}", file=sys.stderr)
        sys.exit(2)
