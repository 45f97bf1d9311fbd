"""What a match is: records, their chain, the line they amount to; the header and the replay around them."""
