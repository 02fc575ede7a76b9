# refs.pl TOP [FILE...]: prints every reference in the sources that leads nowhere; exit status 1 then.
# Without FILE it reads all sources. ikm-hacking(7), "References", describes the forms.
use strict;
use warnings;
use File::Find;

my $top = shift @ARGV or die "usage: refs.pl TOP [FILE...]\n";
my $bad = 0;

sub text {
	my ($file) = @_;
	open my $in, '<:raw', $file or die "$file: $!\n";
	local $/;
	return scalar <$in> // '';
}
sub say_bad {
	my ($file, $what) = @_;
	$file =~ s|^\Q$top\E/||;
	print "$file: $what\n";
	$bad = 1;
}

# The pages: name and section to headings. A command's page has generated headings besides.
my (%page, %required, $name);
for my $file (glob("$top/man/*")) {
	my ($n) = $file =~ m{/(ikm[a-z-]*\.(?:mdoc|\d))$} or next;
	$n =~ s/\.mdoc$/.1/;
	$n =~ s/\.(\d)$/($1)/;
	$page{$n}{$_} = 1 for text($file) =~ /^\.S[sh] (.+)$/mg;
	$page{$n}{$_} = 1 for $n =~ /\(1\)/ ? qw(NAME SYNOPSIS DESCRIPTION OPTIONS) : ();
}
# The requirements: a name to the headings and words of its section.
my ($table) = text("$top/man/ikm-design.7") =~ /^\.Sh REQUIREMENTS\n(.*?)^\.Sh /ms;
for my $part (split /^\.Ss /m, $table // '') {
	next unless $part =~ s/^(.+)\n\.?//;
	($name = $1) =~ /^[a-z ]+$/ or next;
	$required{$name}{item}{$1} = 1 while $part =~ /^\.It (.+)$/mg;
	$required{$name}{word}{$1} = 1 while $part =~ /([\w.]+)/g;
}
keys %required == 5 or die "ikm-design(7): five requirements are not there\n";

# The text of a file for its readers: its comments, or the whole of a page.
sub prose {
	my ($file, $t) = @_;
	return $t if $file =~ /\.(?:mdoc|\d|md)$/;
	my @said = $file =~ /\.[ch]$/ ? $t =~ m|/\*(.*?)\*/|sg :
		$file =~ /\.sql$/ ? $t =~ /--(.*\n(?:\s*--.*\n)*)/g : $t =~ /^\s*#(.*\n(?:\s*#.*\n)*)/mg;
	s/\s*\n\s*(?:\*|--|#)?\s*/ /g for @said;
	return join "\n", @said;
}

sub check_required {
	my ($file, $list) = @_;
	for my $one (split /;\s*/, $list) {
		my ($n, $rest) = split /,\s*/, $one, 2;
		if (!$required{$n}) {
			say_bad($file, "no requirement '$n' in ikm-design(7)");
			next;
		}
		for (($rest // '') =~ /"[^"]+"|[^,\s"]+/g) {
			next if /^"(.*)"$/ ? $required{$n}{item}{$1} : $required{$n}{word}{$_};
			say_bad($file, "the requirement '$n' has no $_ in ikm-design(7)");
		}
	}
}

sub check {
	my ($file) = @_;
	my $t = text($file);
	my $said = prose($file, $t);

	say_bad($file, $&) while $t =~ /\bseeds? \d{3}\b.*/gi;
	while ($said =~ m{(?<![\w/"'`\-\@\[.*<>:])([a-z]{3,}\.md)\b(?!#)}g) {
		say_bad($file, "no page '$1'") unless $file =~ m|/man/| || -e "$top/$1";
	}
	# A header is named with its module: a bare name may be one of the system, and tests have made-up ones.
	my $header = $file =~ m|/t/| ? qr/\0/ : qr{(?!sys/)(?:[a-z0-9]+/)+[a-z_]+\.h};
	while ($file =~ /\.[ch]$/ && $said =~ m{(?<![\w/*.-])((?:[a-z]+/)*[a-z_]{3,}\.c|$header)\b}g) {
		say_bad($file, "there is no $1")
			unless grep { -e } "$top/$1", glob "$top/{lib/*/*,lib/*,lib,cmd,t/*}/$1";
	}
	if ($file =~ m{(?:([^/]+)/)?([^/]+)\.h$}) {
		my ($module, $base) = ($1 // '', $2);
		say_bad($file, "its first comment is of '$1'")
			if $t =~ m{^/\*[\s*]*(?:[a-z0-9]+/)?([a-z0-9_]+): } && $1 ne $base && $1 ne $module;
	}
	while ($t =~ /\b(ikm(?:-[a-z]+)*\(\d\))/g) {
		say_bad($file, "no page $1") unless $page{$1};
	}
	# In comments, and in messages: ikm-check(1), \"What blocks\".
	my $told = "$said\n" . $t =~ s/"\s*\n\s*"//gr;
	while ($told =~ /\b(ikm(?:-[a-z]+)*\(\d\)), \\?"([^"\\\n]+)\\?"/g) {
		say_bad($file, "$1 has no section '$2'") unless $page{$1}{$2};
	}
	while ($t =~ /^\.Dq ([^",\n]+)\nin\n\.Xr (ikm\S*) (\d)/mg) {
		say_bad($file, "$2($3) has no section '$1'") unless $page{"$2($3)"}{$1};
	}
	while ($t =~ /^\.Sx "?([^"\n]+?)"?(?: [.,;:)])*$/mg) {
		my ($section, $own) = ("$1", $file =~ s|.*/||r =~ s/\.mdoc$/.1/r =~ s/\.(\d)$/($1)/r);
		say_bad($file, "it has no section '$section'") unless $page{$own}{$section};
	}
	while ($t =~ /^\.Xr (ikm\S*) (\d)/mg) {
		say_bad($file, "no page $1($2)") unless $page{"$1($2)"};
	}
	while ($t =~ m{^\.(?:Pa|It Pa) ((?:lib|cmd|sql|hooks|t|man)/\S+)(?![^\n]*Ns)}mg) {
		say_bad($file, "there is no $1") unless -e "$top/$1";
	}
	while ($t =~ m{^\.Fn (\w+)\n\.Pq Pa (\S+)}mg) {
		my ($function, $source) = ($1, "$top/$2");
		next if -e $source && text($source) =~ /^\w.*\b\Q$function\E\(/m;
		say_bad($file, "there is no function $function in $2");
	}
	while ($t =~ m{^\.(?:It )?Pq Pa ((?:lib|cmd|sql|hooks|t|man)/\S+)}mg) {
		say_bad($file, "there is no $1") unless -e "$top/$1";
	}
	return if $file =~ m|/man/|;
	check_required($file, $1) while $said =~ /(?:(?:\(|; )requirements?: |[Tt]he requirements? \((?=[a-z]))([^()]*)\)/g;
}

my @files = @ARGV;
find({no_chdir => 1, wanted => sub {
	# Released migrations, and a store as 0.1.0 made it, do not change any more.
	return if m{/t/(?:fuzz/corpus|conformance|npm)/|/t/sources/0004-references\.t$|/sql/sqlite/000[1-4]-|/t/store-0\.1\.0\.sql$};
	push @files, $_ if -f && m{\.(?:[ch]|sql|sh|t|pl|py|mdoc|\d|mjs|md)$};
}}, grep { -e } map { "$top/$_" } qw(lib cmd sql hooks t man Makefile README.md)) unless @files;
@files > 0 or die "nothing to read\n";
check($_) for @files;
exit $bad;
