import { endsSoon, parseJson } from '../api/session/token-claims.ts'
import { answersKey, sessionKey } from '../api/storage-keys.ts'

/**
 * Answers that were asked for before the app's own code had come: the early script puts them here, and the first call of
 * the same address takes its one in place of asking again. They lie on the window because the two are separate programs.
 */
declare global {
  var tidelineEarly: Map<string, EarlyAnswer> | undefined
}
interface EarlyAnswer {
  token: string
  askedMs: number
  response: Promise<Response>
}

// A page that was asleep in between must not take an old answer for the state of things.
const goodForMs = 10_000
const giveUpMs = 20_000

/** Asks an address (under /api, with its query) now, for the first call that wants it. Answers what comes, not yet read. */
export function askEarly(url: string, token: string): Promise<Response> {
  const asked = fetch(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(giveUpMs),
  })
  const response = asked.then(answer => answer.clone())
  // Perhaps nobody takes it, and then nobody is told of its failure.
  response.catch(() => undefined)
  globalThis.tidelineEarly ??= new Map()
  globalThis.tidelineEarly.set(url, { token, askedMs: performance.now(), response })
  return asked
}

/** Takes the early answer to an address, once; undefined when there is none, it failed, is old or was for another session. */
export function takeEarly(url: string, token: string | undefined): Promise<Response | undefined> | undefined {
  const early = globalThis.tidelineEarly?.get(url)
  globalThis.tidelineEarly?.delete(url)
  if (!early || early.token !== token || performance.now() - early.askedMs > goodForMs) return undefined
  return early.response.catch(() => undefined)
}

/** Asks the addresses now, and answers the responses in their order. */
type Ask = (urls: readonly string[]) => Promise<Response>[]

/**
 * Begins a first visit's questions before the app's code has come. Nothing is asked when nobody is signed in, when the
 * session must be renewed first, and when the last answers are kept: then the screen stands without a question.
 */
export function askAtOnce(begin: (ask: Ask) => void): void {
  const token = storedToken()
  if (!token || endsSoon(token, Date.now()) || localStorage.getItem(answersKey)) return
  begin(urls => urls.map(url => askEarly(url, token)))
}

function storedToken(): string | undefined {
  const session = parseJson(localStorage.getItem(sessionKey)) as { accessToken?: unknown } | null | undefined
  return typeof session?.accessToken === 'string' ? session.accessToken : undefined
}

/** Fetches and compiles modules that are going to be imported; `files` are addresses on this origin. */
export function loadAhead(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    document.head.append(link)
  }
}
