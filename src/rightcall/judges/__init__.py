"""Who answers questions: `local`, and one file for each remote backend. Each module has `make_judge(model)`."""
