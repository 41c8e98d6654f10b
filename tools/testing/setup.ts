// Runs before each test file. What it imports runs once for each worker.
import './end-processes.ts'
