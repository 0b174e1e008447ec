"""Who answers questions: `local`, and a file for each remote backend, which declares its `WIRE`."""
