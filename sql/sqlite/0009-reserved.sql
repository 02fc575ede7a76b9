-- Nothing yet: the number belongs to work that is not merged.

pragma user_version = 9;
