"""Which actual call serves which expected one, also where expected calls say more than one call (contract 6)."""
