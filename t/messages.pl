# messages.pl TOP MESSAGES REST: prints the texts of errors in the sources that neither the file
# MESSAGES shows nor the file REST lists, and those that both have. The exit status is 1 then.
# t/face/0334-messages.t explains the files. A text is the format of err_new() or err_for_param(), with
# each conversion as "%".
use strict;
use warnings;
use File::Find;

my ($top, $shown, $rest) = @ARGV;

sub text {
	my ($file) = @_;
	open my $in, '<:raw', $file or die "$file: $!\n";
	local $/;
	return scalar <$in> // '';
}

# The arguments of a call, from behind its parenthesis.
sub arguments {
	my ($s) = @_;
	my ($depth, @args) = (0, '');
	while ($s =~ /\G("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|.)/gs) {
		my $c = $1;
		last if $c eq ')' && !$depth;
		$depth += $c eq '(' ? 1 : $c eq ')' ? -1 : 0;
		if ($c eq ',' && !$depth) { push @args, '' } else { $args[-1] .= $c }
	}
	return @args;
}

# The texts of a format: literals that follow each other are one text, and "a ? b : c" has two.
sub texts {
	my ($arg) = @_;
	my ($now, @all) = ('');
	while ($arg =~ /\G(?:"((?:[^"\\]|\\.)*)"|([?:])|(\w+)|.)/gs) {
		if (defined $1) { $now .= $1 }
		elsif (defined $3) { $now .= '%' if $3 !~ /^PRI/ }
		elsif (defined $2) { push @all, $now; $now = '' }
	}
	return map {
		s/%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]/%/g; s/\\n/%/g; s/\\(.)/$1/g; s/%%+/%/g; $_
	} @all, $now;
}

my %where;
find({no_chdir => 1, wanted => sub {
	return unless /\.c$/;
	my ($file, $s) = ($_, text($_));
	while ($s =~ /\berr_(new|for_param)\(/g) {
		my @args = arguments(substr($s, pos $s));
		my $format = $args[$1 eq 'new' ? 1 : 2] // next;
		# Words alone: what a caller formats is counted where it stands.
		/\w.*\s.*\w/ and $where{$_} //= $file for texts($format);
	}
}}, "$top/lib", "$top/cmd");
my $messages = text($shown);
my %listed = map { $_ => 1 } grep { !/^(#|$)/ } split /\n/, text($rest);
my $bad = 0;
for my $text (sort { $where{$a} cmp $where{$b} || $a cmp $b } keys %where) {
	my $like = join '.*', map quotemeta, split /%/, $text, -1;
	# Parameters have other names on a command line.
	my $is = $messages =~ /$like/;
	next if $is ? !$listed{$text} : $listed{$text};
	print "a row prints it, so it is no longer listed: " if $is;
	$where{$text} =~ s|^\Q$top\E/||;
	print "$where{$text}: $text\n";
	$bad = 1;
}
print "$_: not in the sources\n" and $bad = 1 for grep { !$where{$_} } sort keys %listed;
exit $bad;
