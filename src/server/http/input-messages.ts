import * as v from 'valibot'

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
export function inputMessage(issue: v.BaseIssue<unknown>, part: string): string {
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

/** A problem of one of our responses, for the log. */
export const answerMessage = (issue: v.BaseIssue<unknown>): string =>
  `${v.getDotPath(issue) ?? '.'}: ${issue.message || `expected ${issue.expected}, got ${issue.received}`}`
