import { afterEach, beforeEach, expect } from 'vitest'
import { recordStatements } from '../statements/record.ts'

if (process.env.STATEMENTS_FOLDER) recordStatements(process.env.STATEMENTS_FOLDER)

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
