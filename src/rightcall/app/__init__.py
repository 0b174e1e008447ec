"""What people and programs talk to; on top of everything else."""
