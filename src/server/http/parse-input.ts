import * as v from 'valibot'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { answerMessage, inputMessage } from './input-messages.ts'
import { type InputProblem, inputLimits, inspectInput } from './inspect-input.ts'

const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

/**
 * Parses the parts that the endpoint declares. Throws VALIDATION_FAILED with one sentence per field, for at most a hundred
 * fields.
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
    const { limitExceeded, unstorableTexts } = inspectInput(raw[part])
    if (limitExceeded) {
      add(part)(limitExceeded)
      continue
    }
    const { value, issues = [] } = runUpToLimit(schema, raw[part] ?? (part === 'body' ? undefined : {}))
    input[part] = value
    for (const issue of issues) add(part)({ field: v.getDotPath(issue) ?? part, message: inputMessage(issue, part) })
    unstorableTexts.forEach(add(part))
  }
  if (!problems.size) return input
  throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: [...problems.values()],
    extra: { fields: Object.fromEntries(problems) },
  })
}

// Valibot reads `abortEarly` when it finds a problem, and once more for every list and object around it.
const maxReads = 10 * inputLimits.problems

/**
 * Runs a schema until it has found enough problems. Valibot can stop at the first problem or find all of them, and a
 * hostile list has as many problems as items. But Valibot reads `abortEarly` after each problem, so it can change.
 */
function runUpToLimit(schema: v.GenericSchema, value: unknown) {
  let reads = 0
  return schema['~run'](
    { value },
    {
      get abortEarly() {
        reads += 1
        return reads > maxReads
      },
    },
  )
}

/** Throws if a response does not match its own schema. */
export function checkResponse(endpoint: Endpoint, response: unknown) {
  const result = v.safeParse(endpoint.response, response)
  if (result.success) return
  const where = result.issues.map(answerMessage).join('; ')
  throw new Error(`The response of ${endpoint.method} ${endpoint.path} does not match its contract: ${where}`)
}
