import { expect, test } from 'vitest'
import { firstSteps, goals, type SurveyAnswers } from './survey-contract.ts'

const answers: SurveyAnswers = { goal: 'SELL_MORE', experience: 'SOME', catalogueSize: 'FEW', showsSteps: true }

test('each goal has a first step of its own', () => {
  expect(goals.map(goal => firstSteps({ ...answers, goal })[0])).toEqual([
    'CREATE_CAMPAIGN',
    'FIND_WASTE',
    'TURN_ON_PUSH',
  ])
})
test('a beginner is not sent to search terms', () => {
  for (const goal of goals) expect(firstSteps({ ...answers, goal, experience: 'NEW' })).not.toContain('FIND_WASTE')
})
test('who skipped the goal, or hid the suggestions, gets none', () => {
  expect(firstSteps({ ...answers, goal: null })).toEqual([])
  expect(firstSteps({ ...answers, showsSteps: false })).toEqual([])
})
