import * as v from 'valibot'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { answerMessage, inputMessage } from './input-messages.ts'
import { type InputProblem, inputLimits, inspectInput } from './inspect-input.ts'

const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

/**
 * Parses what the endpoint declares. Throws VALIDATION_FAILED with one detail a field, for the first hundred fields, each a
 * sentence of ours.
 */
export function parseInput(endpoint: Endpoint, raw: Record<Part, unknown>) {
  const input: Partial<Record<Part, unknown>> = {}
  const problems = new Map<string, string>()
  const add = (part: Part) => (problem: InputProblem) => {
    const field = problem.field || part
    if (problems.size < inputLimits.problems && !problems.has(field)) problems.set(field, problem.message)
  }
  for (const part of parts) {
    const schema = endpoint[part]
    if (!schema) continue
    const { tooMuch, oddTexts } = inspectInput(raw[part])
    if (tooMuch) {
      add(part)(tooMuch)
      continue
    }
    const { value, issues = [] } = runUpToLimit(schema, raw[part] ?? (part === 'body' ? undefined : {}))
    input[part] = value
    for (const issue of issues) add(part)({ field: v.getDotPath(issue) ?? part, message: inputMessage(issue, part) })
    oddTexts.forEach(add(part))
  }
  if (!problems.size) return input
  throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: [...problems.values()],
    extra: { fields: Object.fromEntries(problems) },
  })
}

// A problem is asked about when it is found and once for every list and object around it.
const questionsLimit = 10 * inputLimits.problems

/**
 * Runs a schema until it has found enough problems. Valibot itself knows only "the first" or "all", and all the problems of
 * a hostile list are as many as its items. But it asks `abortEarly` again after each, and here that answer changes.
 */
function runUpToLimit(schema: v.GenericSchema, value: unknown) {
  let questions = 0
  return schema['~run'](
    { value },
    {
      get abortEarly() {
        questions += 1
        return questions > questionsLimit
      },
    },
  )
}

/** Throws INTERNAL when an answer does not fit its own schema: a defect of ours, found before the client finds it. */
export function checkResponse(endpoint: Endpoint, answer: unknown) {
  const result = v.safeParse(endpoint.response, answer)
  if (result.success) return
  const where = result.issues.map(answerMessage).join('; ')
  throw new Error(`${endpoint.method} ${endpoint.path} answers what its contract does not allow: ${where}`)
}
