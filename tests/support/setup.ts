import { afterEach, beforeEach, expect } from 'vitest'

const folder = process.env.STATEMENTS_FOLDER
// Loaded where it is used: tests of pages have no database and no files.
if (folder) (await import('../statements/record.ts')).recordStatements(folder)

// An error that nobody expected to see on the console is a failure of the test that caused it.
let errors: unknown[][] = []
const original = console.error

beforeEach(() => {
  errors = []
  console.error = (...args: unknown[]) => {
    errors.push(args)
  }
})

afterEach(() => {
  console.error = original
  expect(errors, 'console.error was called').toEqual([])
})
