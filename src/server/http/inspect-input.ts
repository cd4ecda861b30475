/** One field of a request and what is wrong with it. */
export interface InputProblem {
  /** Names from the root, joined by dots; empty for the whole. */
  field: string
  message: string
}

export interface Inspection {
  /** Why no schema should look at the input at all. */
  tooMuch?: InputProblem
  /** Texts that the database cannot keep, the first of them. */
  oddTexts: InputProblem[]
}

/** What no request of ours comes near. The longest text of any schema has 2,000 characters, the deepest body 6 levels. */
export const inputLimits = { depth: 32, values: 200_000, textLength: 10_000, problems: 100 } as const

const ODD_TEXT = 'A text has a character that cannot be kept'
const digits = (count: number) => count.toLocaleString('en-US')
const TOO_LONG = `Must be at most ${digits(inputLimits.textLength)} characters long`
const TOO_DEEP = 'The request has lists within lists too deep to read'
const TOO_MANY = `The request has more than ${digits(inputLimits.values)} values`

// The database takes neither U+0000 nor half a surrogate pair, and JSON can carry both.
const isOdd = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/**
 * Looks at every value and name of a parsed input once, before a schema does: how deep it is nested, how many values it
 * has, how long its texts are, and which texts hold characters that cannot be stored. Stops at the first limit exceeded.
 */
export function inspectInput(root: unknown): Inspection {
  const oddTexts: InputProblem[] = []
  const path: (string | number)[] = []
  let values = 0

  function visitText(text: string): string | undefined {
    if (text.length > inputLimits.textLength) return TOO_LONG
    if (oddTexts.length < inputLimits.problems && isOdd(text))
      oddTexts.push({ field: path.join('.'), message: ODD_TEXT })
    return undefined
  }
  function visitMember(name: string | number, value: unknown): string | undefined {
    const wrongName = typeof name === 'string' ? visitText(name) : undefined
    if (wrongName) return wrongName
    path.push(name)
    const wrong = visit(value)
    // Where something is wrong the path stays, so that it can be named.
    if (!wrong) path.pop()
    return wrong
  }
  function visit(value: unknown): string | undefined {
    values += 1
    if (values > inputLimits.values) return TOO_MANY
    if (typeof value === 'string') return visitText(value)
    if (typeof value !== 'object' || value === null) return undefined
    if (path.length >= inputLimits.depth) return TOO_DEEP
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i += 1) {
        const wrong = visitMember(i, value[i])
        if (wrong) return wrong
      }
      return undefined
    }
    for (const name of Object.keys(value)) {
      const wrong = visitMember(name, (value as Record<string, unknown>)[name])
      if (wrong) return wrong
    }
    return undefined
  }

  const message = visit(root)
  if (message === undefined) return { oddTexts }
  return { oddTexts, tooMuch: { field: message === TOO_LONG ? path.join('.') : '', message } }
}
