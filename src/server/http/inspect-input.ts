/** One field of a request and what is wrong with it. */
export interface InputProblem {
  /** The path from the root, with dots; empty for the root itself. */
  field: string
  message: string
}

export interface Inspection {
  /** The limit that the input exceeds. Then it must not be parsed. */
  limitExceeded?: InputProblem
  /** The first texts that the database cannot store. */
  unstorableTexts: InputProblem[]
}

/** Far above any valid request: the longest text of any schema has 2,000 characters, the deepest body 6 levels. */
export const inputLimits = { depth: 32, values: 200_000, textLength: 10_000, problems: 100 } as const

const UNSTORABLE = 'A text has a character that cannot be saved'
const digits = (count: number) => count.toLocaleString('en-US')
const TOO_LONG = `Must be at most ${digits(inputLimits.textLength)} characters long`
const TOO_DEEP = 'The request is nested too deeply to read'
const TOO_MANY = `The request has more than ${digits(inputLimits.values)} values`

// PostgreSQL stores neither U+0000 nor half a surrogate pair, and JSON can contain both.
const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/** Checks an input before it is parsed: depth, number of values, texts. Stops at the first limit exceeded. */
export function inspectInput(root: unknown): Inspection {
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
