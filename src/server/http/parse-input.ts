import * as v from 'valibot'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { numberText } from '#shared/money.ts'

/** One field of a request and what is wrong with it. */
interface InputProblem {
  /** The path from the root, with dots; empty for the root itself. */
  field: string
  message: string
}

interface Inspection {
  /** The limit that the input exceeds. Then it must not be parsed. */
  limitExceeded?: InputProblem
  /** The first texts that the database cannot store. */
  unstorableTexts: InputProblem[]
}

/** Far above any valid request: the longest text of any schema has 2,000 characters, the deepest body 6 levels. */
export const inputLimits = { depth: 32, values: 200_000, textLength: 10_000, problems: 100 } as const

const UNSTORABLE = 'A text has a character that cannot be saved'
const digits = (count: number) => numberText(count)
const TOO_LONG = `Must be at most ${digits(inputLimits.textLength)} characters long`
const TOO_DEEP = 'The request is nested too deeply to read'
const TOO_MANY = `The request has more than ${digits(inputLimits.values)} values`

// PostgreSQL stores neither U+0000 nor half a surrogate pair, and JSON can contain both.
const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/** Checks an input before it is parsed: depth, number of values, texts. Stops at the first limit exceeded. */
function inspectInput(root: unknown): Inspection {
  const unstorableTexts: InputProblem[] = []
  const path: (string | number)[] = []
  let values = 0

  function visitText(text: string): string | undefined {
    if (text.length > inputLimits.textLength) return TOO_LONG
    if (unstorableTexts.length < inputLimits.problems && isUnstorable(text))
      unstorableTexts.push({ field: path.join('.'), message: UNSTORABLE })
    return undefined
  }
  function visitMember(name: string | number, value: unknown): string | undefined {
    const nameProblem = typeof name === 'string' ? visitText(name) : undefined
    if (nameProblem) return nameProblem
    path.push(name)
    const problem = visit(value)
    // The path of a problem stays, for its message.
    if (!problem) path.pop()
    return problem
  }
  function visit(value: unknown): string | undefined {
    values += 1
    if (values > inputLimits.values) return TOO_MANY
    if (typeof value === 'string') return visitText(value)
    if (typeof value !== 'object' || value === null) return undefined
    if (path.length >= inputLimits.depth) return TOO_DEEP
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i += 1) {
        const problem = visitMember(i, value[i])
        if (problem) return problem
      }
      return undefined
    }
    for (const name of Object.keys(value)) {
      const problem = visitMember(name, (value as Record<string, unknown>)[name])
      if (problem) return problem
    }
    return undefined
  }

  const message = visit(root)
  if (message === undefined) return { unstorableTexts }
  return { unstorableTexts, limitExceeded: { field: message === TOO_LONG ? path.join('.') : '', message } }
}

const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

/** Parses the parts that the endpoint declares. Throws VALIDATION_FAILED with one sentence for each of 100 fields at most. */
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

// A schema without its own message gets an empty one, so that the validator's messages are never shown.
const NO_MESSAGE = ''
v.setGlobalMessage(NO_MESSAGE)

/** Labels of fields whose names do not read well. */
const labels: Readonly<Record<string, string>> = {
  asins: 'The list of ASINs',
  skus: 'The list of SKUs',
  dateFrom: 'The first day',
  dateTo: 'The last day',
  sortBy: 'The column to sort by',
  sortDir: 'The sort direction',
  page: 'The page',
  size: 'The page size',
  id: 'The id',
  body: 'The request body',
  query: 'The query',
  params: 'The address',
  spapi_oauth_code: 'The code',
}

/** A field's label: "Daily budget" for "dailyBudget". Items of lists are counted from one. */
function labelOf(path: readonly (string | number)[], part: string): string {
  const name = path.findLast(key => typeof key === 'string') ?? part
  const text = String(name).slice(0, 60)
  const spaced = text
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  const label = labels[text] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
  const index = path.at(-1)
  return typeof index === 'number' ? `${label}: item ${index + 1}` : label
}

const typeMessages: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  tuple: 'must be a list',
  object: 'must be a JSON object',
  strict_object: 'must be a JSON object',
  record: 'must be a JSON object',
  integer: 'must be a whole number',
  safe_integer: 'must be a whole number',
  finite: 'must be a number',
  non_empty: 'is required',
  url: 'must be an address that starts with https://',
  uuid: 'must be an id of the form 00000000-0000-0000-0000-000000000000',
  email: 'must be an email address',
  iso_date: 'must be a day, yyyy-MM-dd',
  iso_timestamp: 'must be a time, such as 2026-03-01T12:00:00Z',
}

const lengthOf = (issue: v.BaseIssue<unknown>): string =>
  `${String(issue.requirement)} ${Array.isArray(issue.input) ? 'items' : 'characters'}`

/** What the value must be, to be read after the label of the field. */
function predicateOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is required'
  switch (issue.type) {
    case 'picklist':
    case 'literal':
    case 'enum':
      return `must be one of: ${(issue.expected ?? '').replace(/[()"]/g, '').replaceAll(' | ', ', ')}`
    case 'min_value':
      return `must be at least ${String(issue.requirement)}`
    case 'max_value':
      return `must be at most ${String(issue.requirement)}`
    case 'min_length':
      return `must have at least ${lengthOf(issue)}`
    case 'max_length':
      return `must have at most ${lengthOf(issue)}`
    case 'length':
      return `must have exactly ${lengthOf(issue)}`
    case 'union':
    case 'variant': {
      const [first] = issue.issues ?? []
      return first ? predicateOf(first) : 'has the wrong type. Check it and try again'
    }
    default:
      return typeMessages[issue.type] ?? 'has the wrong format. Check it and try again'
  }
}

/**
 * A problem of an input as a sentence that names the field and says what to do. A schema's own message stays as it is; if
 * it is written to stand next to its field ("Must be a number"), it gets the field's label.
 */
function inputMessage(issue: v.BaseIssue<unknown>, part: string): string {
  const path = (issue.path ?? []).map(item => item.key).filter(isName)
  if (issue.message.startsWith('Must ')) return `${labelOf(path, part)} m${issue.message.slice(1)}`
  if (issue.message.startsWith('At most ')) return `${labelOf(path, part)} must have a${issue.message.slice(1)}`
  if (issue.message !== NO_MESSAGE) return issue.message
  if (issue.expected === 'never')
    return `${part === 'query' ? 'The query' : 'The body'} has an unknown field, ${nameOf(path)}. Remove it`
  return `${labelOf(path, part)} ${predicateOf(issue)}`
}

const isName = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number'
const nameOf = (path: readonly (string | number)[]): string => JSON.stringify(String(path.at(-1) ?? '').slice(0, 60))
