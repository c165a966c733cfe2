#!/usr/bin/env python3
"""Runs a real program without the library, under it, and under it with statistics; all must give the same bytes.

usage: real.py PROGRAM LIBRARY        exit status 77: the program is not installed
"""

import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


class Run:
    """One run of a program in an empty folder. What it gives is in `results`, in order."""

    def __init__(self, folder, library, statistics):
        self.folder, self.library, self.statistics = folder, library, statistics
        self.results, self.summaries = [], []

    def environment(self, extra=None):
        values = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C", "TZ": "UTC"}
        if self.library:
            values["LD_PRELOAD"] = self.library
        if self.statistics:
            values["VESTA_HOST_ALLOC_STATS"] = "1"
        values.update(extra or {})
        return values

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *command, input=None, environment=None, expected=0):
        """Runs a command to its end and keeps its output."""
        text = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            command, input=text if text is not None else b"", capture_output=True, timeout=120, cwd=self.folder,
            env=self.environment(environment))
        errors = self.take_summaries(done.stderr)
        if done.returncode != expected:
            sys.exit(f"{' '.join(command)[:200]}: status {done.returncode}\n{errors.decode(errors='replace')[-2000:]}")
        self.results.append((" ".join(command)[:60], done.stdout + errors))
        return done.stdout

    def keep(self, name):
        """Keeps a file that the program wrote."""
        self.results.append((name, (self.folder / name).read_bytes()))

    def take_summaries(self, errors):
        """Takes the library's summaries out of what a program wrote on standard error."""
        pattern = rb"vesta_alloc: (.*), process \d+\n(?:(?: .*|blocks|memory|heap|sizes.*)\n)*"
        for summary in re.finditer(pattern, errors):
            count = re.search(rb"allocations +(\d+)", summary.group(0))
            self.summaries.append((summary.group(1).decode(), int(count.group(1)) if count else 0))
        return re.sub(pattern, b"", errors)


def numbers(seed):
    return random.Random(seed)


# ---- The programs. Each takes a Run and returns the name of the process that must have used the library most. ----


def sqlite3(run):
    script = """
        PRAGMA journal_mode=WAL;
        CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL, tags TEXT);
        CREATE INDEX item_name ON item(name);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
            INSERT INTO item SELECT i, printf('part-%d-%d', (i * 7919) % 20011, i % 89), i * 0.25,
                                    json_array(i % 7, i % 11, 'x' || (i % 101)) FROM n;
        SELECT count(*), sum(length(name)), round(avg(price), 3) FROM item WHERE name LIKE 'part-1%';
        UPDATE item SET name = name || '-' || id WHERE id % 3 = 0;
        DELETE FROM item WHERE id % 5 = 0;
        SELECT substr(name, 1, 8) k, count(*), length(group_concat(id)) FROM item GROUP BY k ORDER BY 2 DESC, 1 LIMIT 20;
        SELECT value, count(*) FROM item, json_each(item.tags) GROUP BY value ORDER BY 2 DESC, 1 LIMIT 15;
        SELECT id, price, sum(price) OVER (ORDER BY id ROWS 5 PRECEDING) FROM item ORDER BY id LIMIT 10 OFFSET 777;
        CREATE VIRTUAL TABLE text USING fts5(body);
        INSERT INTO text SELECT name || ' ' || tags FROM item WHERE id < 8000;
        SELECT count(*) FROM text WHERE text MATCH 'part AND 13';
        CREATE TABLE blobs AS SELECT id, zeroblob(id % 4000) b FROM item WHERE id < 4000;
        SELECT sum(length(b)) FROM blobs;
        PRAGMA integrity_check;
        VACUUM;
        .dump blobs
        SELECT json_group_array(json_object('id', id, 'name', name)) FROM item WHERE id < 5000;
    """
    run.run("sqlite3", "store.db", input="\n".join(line.strip() for line in script.splitlines()))
    return "sqlite3"


PYTHON_WORK = """
import ast, collections, hashlib, json, pathlib, re, threading, zlib
sources = sorted(pathlib.Path(json.__file__).parent.parent.glob('*.py'))[:70]
texts = [s.read_text(errors='replace') for s in sources]
counts = collections.Counter()
for text in texts:
    counts.update(type(node).__name__ for node in ast.walk(ast.parse(text)))
print(sorted(counts.items()))
words = collections.defaultdict(list)
for number, text in enumerate(texts):
    for word in re.findall(r'[A-Za-z_][A-Za-z0-9_]{3,}', text):
        words[word].append(number)
document = json.dumps({w: n for w, n in words.items()}, sort_keys=True, indent=1)
assert json.loads(document) == words
print(len(document), hashlib.sha256(document.encode()).hexdigest())
packed = [zlib.compress(t.encode(), 6) for t in texts]
print(sum(map(len, packed)), all(zlib.decompress(p).decode() == t for p, t in zip(packed, texts)))
results = [None] * 4
def work(i):
    table = {}
    for j in range(20000):
        table[(i, j % 5003)] = str(j) * (j % 7)
    results[i] = hashlib.md5(repr(sorted(table.items())).encode()).hexdigest()
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
print(results)
big = bytearray()
for i in range(300000):
    big += b'%d,' % i
print(hashlib.sha1(big).hexdigest())
"""


def python3(run):
    run.write("work.py", PYTHON_WORK)
    run.run("/usr/bin/python3", "-S", "work.py", environment={"PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"})
    return "python3"


def perl(run):
    run.write("work.pl", r"""
use strict; use warnings;
my (%count, @lines);
my $state = 1;
sub number { $state = ($state * 1103515245 + 12345) % 2147483648; return $state; }
for my $i (1 .. 60000) {
    my $line = join ' ', map { chr(97 + number() % 26) x (1 + number() % 9) } 1 .. 6;
    push @lines, $line;
    $count{$_}++ for split / /, $line;
}
my @sorted = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "$_ $count{$_}\n" for @sorted[0 .. 40];
my $text = join "\n", @lines;
(my $changed = $text) =~ s/(\w)\1{3,}/<$1>/g;
print length($changed), ' ', unpack('%32C*', $changed), "\n";
my @matrix = map { my $r = $_; [ map { $r * $_ % 97 } 1 .. 120 ] } 1 .. 120;
my $sum = 0;
for my $i (0 .. 119) { for my $j (0 .. 119) { $sum += $matrix[$i][$_] * $matrix[$_][$j] for 0 .. 9; } }
print "$sum\n";
my %tree;
for my $line (@lines[0 .. 9999]) { my $node = \%tree; $node = $node->{$_} //= {} for split //, $line; }
sub size { my $n = 1; $n += size($_) for values %{$_[0]}; return $n; }
print size(\%tree), "\n";
""")
    run.run("perl", "work.pl", environment={"PERL_HASH_SEED": "0"})
    return "perl"


def redis(run):
    socket = run.folder / "redis.sock"
    errors = open(run.folder / "errors", "w+b")
    server = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no", "--daemonize",
         "no", "--logfile", "server.log", "--enable-debug-command", "yes", "--dir", str(run.folder)],
        cwd=run.folder, env=run.environment(), stdout=subprocess.DEVNULL, stderr=errors)

    def ask(*words, input=None):
        return run.run("redis-cli", "-s", str(socket), *words, input=input)

    try:
        end = time.monotonic() + 20
        while not socket.exists():
            if server.poll() is not None or time.monotonic() > end:
                sys.exit("redis-server does not start: " + (run.folder / "server.log").read_text()[-2000:])
            time.sleep(0.02)
        subprocess.run(
            ["redis-benchmark", "-s", str(socket), "-n", "8000", "-r", "5000", "-P", "16", "-q", "-d", "200", "-t",
             "set,get,incr,lpush,rpop,sadd,hset,spop,zadd,zpopmin,lrange_300,mset"],
            env=run.environment(), stdout=subprocess.DEVNULL, stderr=errors, check=True, timeout=60)
        ask("FLUSHALL")
        pick = numbers(7)
        commands = []
        for i in range(30000):
            key = f"k{pick.randrange(4000)}"
            text = "v" * pick.randrange(1, 300) + str(i)
            commands.append(pick.choice([
                ["SET", "s" + key, text], ["APPEND", "s" + key, text[:50]], ["DEL", "s" + key],
                ["HSET", "h" + key, f"f{i % 50}", text], ["HDEL", "h" + key, f"f{i % 7}"],
                ["RPUSH", "l" + key, text, str(i)], ["LPOP", "l" + key], ["SADD", "e" + key, text[:9], str(i)],
                ["ZADD", "z" + key, str(i), text[:12]], ["SETRANGE", "s" + key, "5000", "x"]]))
        ask("--pipe", input="".join(
            f"*{len(c)}\r\n" + "".join(f"${len(w)}\r\n{w}\r\n" for w in c) for c in commands))
        ask("DEBUG", "DIGEST")
        ask("DBSIZE")
        ask("SORT", "lk1", "ALPHA")
        ask("EVAL", "local all = {} for i = 1, 300 do all[i] = redis.call('GET', 'sk' .. i) or '-' end "
            "return redis.sha1hex(table.concat(all))", "0")
        ask("BGSAVE")  # forks
        while b"rdb_bgsave_in_progress:0" not in subprocess.run(
                ["redis-cli", "-s", str(socket), "INFO", "persistence"], capture_output=True, timeout=60).stdout:
            time.sleep(0.02)
        ask("DEBUG", "RELOAD")
        ask("DEBUG", "DIGEST")
        ask("SHUTDOWN", "NOSAVE")
        if server.wait(timeout=30) != 0:
            sys.exit(f"redis-server: status {server.returncode}")
    finally:
        server.kill()
        server.wait()
    errors.seek(0)
    run.take_summaries(errors.read())
    return "redis-server"


def cxx_source(count):
    """A C++ file that gives the compiler much to instantiate."""
    headers = ("algorithm array atomic bitset chrono complex deque forward_list functional future iomanip "
               "iostream iterator limits list map memory mutex numeric optional queue random ratio set "
               "sstream stack string thread tuple unordered_map unordered_set utility valarray variant vector").split()
    text = "".join(f"#include <{header}>\n" for header in headers)
    text += "template <int N> struct Node { using Next = Node<N - 1>; std::array<int, N + 1> data{}; Next next;\n"
    text += "    long sum() const { return std::accumulate(data.begin(), data.end(), 0L) + next.sum(); } };\n"
    text += "template <> struct Node<0> { long sum() const { return 0; } };\n"
    for i in range(count):
        text += f"""
struct Item{i} {{ std::map<std::string, std::vector<int>> table; std::variant<int, double, std::string> value;
    bool operator<(const Item{i} &other) const {{ return table < other.table; }} }};
long use{i}(std::istream &in) {{
    std::set<Item{i}> items; Item{i} item; std::string word; Node<{40 + i}> node;
    while (in >> word) {{ item.table[word].push_back({i}); item.value = word; items.insert(item); }}
    std::vector<Item{i}> sorted(items.begin(), items.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {{ return b < a; }});
    return node.sum() + static_cast<long>(sorted.size()) + std::visit([](const auto &v) {{ return sizeof v; }}, item.value);
}}
"""
    return text + "".join(f"long use{i}(std::istream &);\n" for i in range(count)) + "".join(
        ["int main() { return static_cast<int>("] + [f"use{i}(std::cin) + " for i in range(count)] + ["0); }\n"])


def cc1plus(run):
    run.write("large.cpp", cxx_source(1))
    run.run("g++", "-std=c++17", "-O1", "-S", "large.cpp", "-o", "large.s")
    run.keep("large.s")
    return "cc1plus"


def link(run):
    run.write("large.cpp", cxx_source(1))
    run.write("other.c", "".join(
        f"static const int t{i}[8] = {{{i}, 1, 2, 3, 4, 5, 6, 7}};\nint f{i}(int x) {{ return x * {i} + t{i}[x & 7]; }}\n"
        for i in range(2000)))
    run.run("gcc", "-g", "-c", "other.c")
    run.run("clang++", "-std=c++17", "-g", "-c", "large.cpp")
    run.keep("large.o")
    run.run("clang++", "large.o", "other.o", "-o", "by-clang")
    run.keep("by-clang")
    run.run("g++", "large.o", "other.o", "-Wl,-O2,--gc-sections,-Map=map", "-o", "by-gcc")
    run.keep("by-gcc")
    run.keep("map")
    return "ld"


def ghostscript(run):
    pick = numbers(3)
    page = []
    for i in range(1500):
        x, y, r = pick.randrange(600), pick.randrange(800), pick.randrange(5, 80)
        page.append(f"{pick.random():.3f} {pick.random():.3f} {pick.random():.3f} setrgbcolor")
        page.append(pick.choice([
            f"newpath {x} {y} {r} 0 360 arc fill",
            f"newpath {x} {y} moveto {r} {-r} {r} {r} {2 * r} {r // 2} rcurveto stroke",
            f"/Times-Roman findfont {r / 2:.1f} scalefont setfont {x} {y} moveto (text {i}) show",
            f"gsave {x} {y} translate {i} rotate 0 0 {r} {r // 3 + 1} rectfill grestore"]))
    body = "\n".join(page)
    run.write("page.ps", f"""%!PS-Adobe-3.0
{body}
gsave 100 100 translate 300 300 scale
<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 1] /Function
   << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> shfill grestore
showpage
/words 20000 dict def 0 1 19999 {{ dup 20 string cvs cvn exch words 3 1 roll put }} for
0 1 40 {{ 15 mul /Helvetica findfont 11 scalefont setfont 40 exch 60 add moveto (a line of text) show }} for showpage
""")
    common = ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE"]
    run.run(*common, "-sDEVICE=ppmraw", "-r100", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4", "-o", "ps-%d.ppm", "page.ps")
    run.run(*common, "-sDEVICE=pdfwrite", "-o", "page.pdf", "page.ps")
    run.run(*common, "-sDEVICE=ppmraw", "-r75", "-o", "pdf-%d.ppm", "page.pdf")
    for name in ("ps-1.ppm", "ps-2.ppm", "pdf-1.ppm", "pdf-2.ppm"):
        run.keep(name)
    return "gs"


def z3(run):
    holes = 8
    text = ["(set-option :smt.random_seed 1)", "(push)"]
    text += [f"(declare-const p{i}_{j} Bool)" for i in range(holes + 1) for j in range(holes)]
    text += ["(assert (or " + " ".join(f"p{i}_{j}" for j in range(holes)) + "))" for i in range(holes + 1)]
    text += [f"(assert (not (and p{a}_{j} p{b}_{j})))" for j in range(holes) for a in range(holes + 1) for b in range(a)]
    text += ["(check-sat)", "(pop)", "(push)", "(declare-const x (_ BitVec 20))", "(declare-const y (_ BitVec 20))",
             "(assert (= (bvmul x y) #x9fe35))", "(assert (bvugt x #x00010))", "(assert (bvugt y #x00010))", "(check-sat)",
             "(get-model)", "(pop)", "(push)", "(declare-fun f (Int) Int)", "(declare-const a (Array Int Int))"]
    text += [f"(assert (> (f {i}) (select a (f {i + 1}))))" for i in range(60)]
    text += [f"(assert (= (select a {i}) {i * i % 17}))" for i in range(200)]
    text += ["(check-sat)", "(get-value ((f 3) (f 10) (f 59)))", "(pop)"]
    run.write("work.smt2", "\n".join(text))
    run.run("z3", "work.smt2")
    return "z3"


def git(run):
    pick = numbers(5)
    environment = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
                   (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2020-01-01T00:00:00Z"))}
    environment["GIT_CONFIG_NOSYSTEM"] = "1"

    def ask(*words):
        return run.run("git", *words, environment=environment)

    ask("init", "-q", "-b", "main", ".")
    run.write(".git/info/exclude", "*.db\n")
    names = [f"folder{i % 13}/file{i}.txt" for i in range(400)]
    lines = {name: [f"line {j} of {name} {pick.random()}" for j in range(pick.randrange(5, 120))] for name in names}
    for commit in range(12):
        for name in names if commit == 0 else pick.sample(names, 60):
            lines[name][pick.randrange(len(lines[name]))] = f"changed in {commit}: {pick.random()}"
            run.write(name, "\n".join(lines[name]) + "\n")
        ask("add", "-A")
        ask("commit", "-q", "-m", f"commit {commit}")
    ask("checkout", "-q", "-b", "side", "HEAD~4")
    run.write("side.txt", "side\n")
    ask("add", "side.txt")
    ask("commit", "-q", "-m", "side")
    ask("merge", "-q", "-m", "merge", "main")
    ask("repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=20")
    ask("gc", "-q", "--prune=now")
    ask("fsck", "--full", "--strict")
    ask("log", "--stat", "-p", "--format=fuller", "-n", "6")
    ask("rev-parse", "HEAD", "main", "HEAD^{tree}")
    ask("blame", names[17])
    ask("grep", "-c", "changed")
    ask("diff", "--stat", "HEAD~6", "HEAD")
    return "git"


NODE_WORK = """
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const crypto = require('crypto'), zlib = require('zlib');
const hash = data => crypto.createHash('sha256').update(data).digest('hex');
function work(seed) {
    const buffers = [];
    let state = seed;
    for (let i = 0; i < 3000; i++) {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        buffers[state % 300] = Buffer.alloc(state % 20000, i & 255);
    }
    const object = {};
    for (let i = 0; i < 20000; i++) object['key' + (i * 7919) % 10007] = { i, text: 'x'.repeat(i % 40), list: [i, i + 1] };
    const text = JSON.stringify(object);
    const back = JSON.stringify(JSON.parse(text));
    const packed = zlib.gzipSync(text);
    return [hash(Buffer.concat(buffers.filter(Boolean))), hash(back), zlib.gunzipSync(packed).toString() === text,
            text.replace(/x+/g, m => m.length).length].join(' ');
}
if (!isMainThread) {
    parentPort.postMessage(work(workerData));
} else {
    const results = [];
    let left = 3;
    for (let i = 0; i < 3; i++) {
        const worker = new Worker(__filename, { workerData: i + 1 });
        worker.on('message', message => { results[i] = message; });
        worker.on('exit', () => { if (--left === 0) { console.log(results.join('\\n')); console.log(work(9)); } });
    }
}
"""


def node(run):
    run.write("work.js", NODE_WORK)
    run.run("node", "work.js")
    return "node"


def bash(run):
    run.write("work.sh", r"""
declare -A count
for ((i = 0; i < 40000; i++)); do key=$((i * 7919 % 997)); count[$key]="${count[$key]:-}$i,"; done
total=0
for key in "${!count[@]}"; do total=$((total + ${#count[$key]})); done
echo "${#count[@]} $total"
text=$(printf '%s\n' {1..20000})
echo "${#text} ${text//1/one}" | md5sum
for word in $(seq 200); do echo "$word $(printf %x $word)"; done | while read -r a b; do echo "${b^^}$a"; done | sort | tail -3
f() { local -a list=("$@"); ((${#list[@]} > 1)) && f "${list[@]:1}"; echo "${list[0]}" > /dev/null; }
f {1..150}
""")
    run.run("bash", "work.sh")
    return "bash"


def table(count):
    pick = numbers(11)
    return "".join(f"{pick.randrange(10**9)} {''.join(pick.choices('abcdefgh', k=12))} {i}\n" for i in range(count))


def awk(run):
    run.write("table", table(100000))
    run.run("awk", "{ sum[substr($2, 1, 3)] += $1; n[$2 $3] = $0; s = s substr($2, 1, 1) } "
            "END { for (k in sum) print k, sum[k] | \"sort\"; print length(s), length(n) }", "table")
    return "awk"


def sort(run):
    run.write("table", table(200000))
    run.run("sort", "--parallel=4", "-S", "20M", "-k2,2", "-k1,1n", "table", "-o", "sorted")
    run.keep("sorted")
    run.run("sort", "-u", "-k2.1,2.2", "table")
    return "sort"


def archives(run):
    run.write("table", table(50000))
    for i in range(300):
        run.write(f"tree/{i % 20}/{i}", table(20 + i % 50))
    for command in ("xz -k -T2 -6 table", "gzip -n -k -9 table", "xz -t table.xz", "gzip -t table.gz",
                    "tar --sort=name --mtime=@0 --owner=0 --group=0 -cf tree.tar tree", "tar -tvf tree.tar"):
        run.run(*command.split())
    for name in ("table.xz", "table.gz", "tree.tar"):
        run.keep(name)
    return "xz"


def openssl(run):
    run.write("table", table(100000))
    for command in ("dgst -sha256 table", "enc -aes-256-cbc -K 00 -iv 00 -in table -out table.enc", "ciphers -v",
                    "prime 170141183460469231731687303715884105727", "list -digest-algorithms"):
        run.run("openssl", *command.split())
    run.keep("table.enc")
    return "openssl"


PROGRAMS = {
    "sqlite3": (sqlite3, ["sqlite3"]), "python3": (python3, ["/usr/bin/python3"]), "perl": (perl, ["perl"]),
    "redis": (redis, ["redis-server", "redis-cli", "redis-benchmark"]), "cc1plus": (cc1plus, ["g++"]),
    "link": (link, ["g++", "clang++", "ld"]), "ghostscript": (ghostscript, ["gs"]), "z3": (z3, ["z3"]),
    "git": (git, ["git"]), "node": (node, ["node"]), "bash": (bash, ["bash"]), "awk": (awk, ["awk"]),
    "sort": (sort, ["sort"]), "archives": (archives, ["xz", "gzip", "tar"]), "openssl": (openssl, ["openssl"]),
}


def compare(name, reference, other, what):
    if [label for label, _ in reference] != [label for label, _ in other]:
        sys.exit(f"{name} {what} did other things than without the library")
    for (label, expected), (_, got) in zip(reference, other):
        if expected != got:
            at = next((i for i, (a, b) in enumerate(zip(expected, got)) if a != b), min(len(expected), len(got)))
            sys.exit(f"{name} {what}: {label} differs at byte {at} of {len(expected)}:\n"
                     f"  {expected[max(0, at - 60):at + 60]!r}\n  {got[max(0, at - 60):at + 60]!r}")


def main():
    name, library = sys.argv[1], os.path.abspath(sys.argv[2])
    work, needed = PROGRAMS[name]
    for program in needed:
        if not shutil.which(program):
            print(f"{program} is not installed")
            return SKIPPED
    base = pathlib.Path(tempfile.mkdtemp(prefix="vesta_real_"))
    try:
        runs = {}
        for what, preload, statistics in (("without the library", None, False), ("under the library", library, False),
                                          ("with statistics", library, True)):
            folder = base / "work"  # the same path each time: programs print and store it
            folder.mkdir()
            run = runs[what] = Run(folder, preload, statistics)
            start = time.monotonic()
            process = work(run)
            print(f"{name} {what}: {time.monotonic() - start:.2f} s, {sum(len(r) for _, r in run.results)} bytes, "
                  f"{hashlib.sha256(b''.join(r for _, r in run.results)).hexdigest()[:16]}")
            shutil.rmtree(folder)
        reference = runs["without the library"].results
        compare(name, reference, runs["under the library"].results, "under the library")
        compare(name, reference, runs["with statistics"].results, "with statistics")
        counted = [count for who, count in runs["with statistics"].summaries if who == process]
        print(f"allocations counted in {process}: {counted[:5]}")
        if not counted or max(counted) < 10:
            sys.exit(f"no sign that {process} used the library: {runs['with statistics'].summaries[:10]}")
        return 0
    finally:
        shutil.rmtree(base, ignore_errors=True)


sys.exit(main())
