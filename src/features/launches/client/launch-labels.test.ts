import { expect, test } from 'vitest'
import { type Launch, stepNames } from '../contract.ts'
import { formatDuration, failedCount, currentStepLabel, progressOf, stepLabels } from './launch-labels.ts'

function step(name: (typeof stepNames)[number], status: Launch['steps'][number]['status'], done = 0, total = 0) {
  return {
    name,
    status,
    startedAt: null,
    finishedAt: null,
    done,
    total,
    errors: status === 'PARTIAL' ? [{ item: 'mat', reason: 'X', message: 'No.' }] : [],
  }
}

test('every step has words', () => {
  expect(stepNames.filter(name => !stepLabels[name])).toEqual([])
})
test.each([
  [320.4, '320 ms'],
  [2440, '2.4 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
])('%s ms read as %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words)
})
test('progress counts the items of the step that goes on, and no skipped step', () => {
  const steps = [step('CAMPAIGNS', 'COMPLETED', 5, 5), step('KEYWORDS', 'IN_PROGRESS', 30, 60), step('SAVE', 'SKIPPED')]
  expect(progressOf({ steps })).toBe(0.75)
  expect(currentStepLabel({ steps })).toBe('Adding keywords (30 of 60)')
})
test('a launch without steps has made no progress', () => {
  expect([progressOf({ steps: [] }), currentStepLabel({ steps: [] })]).toEqual([0, 'Finishing'])
})
test('what failed is not done', () => {
  const steps = [
    step('CAMPAIGNS', 'COMPLETED', 5, 5),
    step('KEYWORDS', 'PARTIAL', 30, 60),
    step('SAVE', 'FAILED', 0, 1),
  ]
  expect(progressOf({ steps })).toBe(0.5)
})
test('failed items are counted over all steps', () => {
  expect(failedCount({ steps: [step('KEYWORDS', 'PARTIAL'), step('NEGATIVE_KEYWORDS', 'PARTIAL')] })).toBe(2)
})
