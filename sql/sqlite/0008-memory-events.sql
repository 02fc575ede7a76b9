-- Reserved for the events of memories.

pragma user_version = 8;
