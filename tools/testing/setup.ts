// Runs before each test file. What it imports runs once for each worker.
import './end-processes.ts'
import { vi } from 'vitest'

// Vitest puts back what a test stubbed before the next test only, but the next file may read globals while it loads.
vi.unstubAllGlobals()
vi.unstubAllEnvs()
