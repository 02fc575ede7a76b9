# Holds the rows of t/imports/ruby.txt against Ruby's own parser: ruby ruby.rb ROWS

AST = RubyVM::AbstractSyntaxTree
HERE = '/a/b/c/d/e/f'
LOADS = %i[require require_relative load autoload].freeze

def node?(n, *types) = n.is_a?(AST::Node) && types.include?(n.type)

# The text that an expression is: of literals and of the few methods that ikm knows.
def value(n)
  n = n.children[0] while node?(n, :BLOCK) && n.children.size == 1 # what stands in brackets, since Ruby 3.3
  return unless node?(n, :STR, :DSTR, :EVSTR, :FCALL, :VCALL, :CALL, :OPCALL)

  case n.type
  when :STR then n.children[0].empty? ? "#{HERE}/x.rb" : n.children[0] # empty: __FILE__
  when :EVSTR then value(n.children[0])
  when :DSTR
    first, code, *rest = n.children
    return unless first.nil? || first.empty?

    [code, *rest.flat_map { |r| node?(r, :LIST) ? r.children.compact : [r] }].compact.sum('') { |p| value(p) || (return) }
  when :FCALL, :VCALL then n.children[0] == :__dir__ ? HERE : nil
  when :OPCALL
    left, op, list = n.children
    op == :+ && value(left) && value(list.children[0]) ? value(left) + value(list.children[0]) : nil
  when :CALL
    receiver, name, list = n.children
    return unless node?(receiver, :CONST) && receiver.children[0] == :File &&
                  %i[join dirname expand_path].include?(name) && node?(list, :LIST)

    args = list.children.compact.map { |a| value(a) || (return) }
    name == :expand_path && args.size == 2 && args[1] == "#{HERE}/x.rb" && !args[0].start_with?('../') and return
    File.send(name, *args)
  end
end

def path(n)
  text = value(n)
  text ? normal(text) : '?'
end

def normal(text) = text.start_with?(HERE) ? File.expand_path(text) : text

def call(name, receiver, list, found)
  args = node?(list, :LIST) ? list.children.compact : []
  return found << '?' if args.empty? && list
  return if args.empty?

  if name == :autoload
    constant = node?(args[0], :LIT, :STR)
    if constant && args.size > 1
      found << path(args[1])
    elsif constant || !receiver
      found << '?'
    end
  elsif !node?(args[0], :LIT, :HASH, :DSYM)
    found << path(args[0])
  end
end

def walk(n, found)
  return unless n.is_a?(AST::Node)

  if node?(n, :FCALL) && LOADS.include?(n.children[0])
    call(n.children[0], false, n.children[1], found)
  elsif node?(n, :CALL, :QCALL) && LOADS.include?(n.children[1])
    receiver, name, list = n.children
    kernel = node?(receiver, :CONST, :COLON3) && receiver.children[0] == :Kernel
    call(name, !kernel, list, found) if kernel || name == :autoload
  end
  n.children.each { |c| c.is_a?(Array) ? c.each { |d| walk(d, found) } : walk(c, found) }
end

bytes = ->(s) { s.gsub(/\\([0-7]{3})/n) { $1.oct.chr } }
count = bad = 0
$VERBOSE = nil
File.binread(ARGV[0]).split(/^### /n).drop(1).each do |row|
  head, rest = row.split("\n", 2)
  text, want = "\n#{rest}".split("\n===\n", 2)
  next if head.start_with?('!')

  theirs = []
  begin
    walk(AST.parse("#{bytes[text[1..]]}\n".force_encoding('UTF-8')), theirs)
  rescue SyntaxError => e
    theirs << e.message.lines[0..1].join.strip
  end
  ours = bytes[want.to_s].force_encoding('UTF-8').lines(chomp: true).map do |line|
    _, kind, file = line.split(' ', 3)
    kind == '?' ? '?' : normal(file.sub(/\A__dir__/, HERE))
  end
  count += 1
  next if ours.sort == theirs.sort

  bad += 1
  puts "# #{head}", "# rows: #{(ours - theirs).join(' | ')}", "# ruby: #{(theirs - ours).join(' | ')}",
       "# #{ours.size} and #{theirs.size}"
end
puts "#{count} rows, #{bad} differ"
exit bad.zero? && count.positive?
