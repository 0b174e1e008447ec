"""When two calls are the same: arguments compared value by value, under the options of contract 2."""
