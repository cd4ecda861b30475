import { endsSoon, parseJson } from '../api/session/token-claims.ts'
import { answersKey, sessionKey } from '../api/storage-keys.ts'

/**
 * Responses that the early script requested before the app's own code arrived: the first call of the same address takes
 * one instead of sending a request. They are on the window because the script and the app are separate programs.
 */
declare global {
  var tidelineEarly: Map<string, EarlyAnswer> | undefined
}
interface EarlyAnswer {
  token: string
  askedMs: number
  response: Promise<Response>
}

// A page that was suspended in between must not use an outdated response.
const goodForMs = 10_000
const giveUpMs = 20_000

/** Requests an address (under /api, with its query) for the first call that uses it. Returns the response, not yet read. */
function askEarly(url: string, token: string): Promise<Response> {
  const request = fetch(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(giveUpMs),
  })
  const response = request.then(answer => answer.clone())
  // If nobody takes it, nobody handles its failure.
  response.catch(() => undefined)
  globalThis.tidelineEarly ??= new Map()
  globalThis.tidelineEarly.set(url, { token, askedMs: performance.now(), response })
  return request
}

/** Takes the early response of an address, once; undefined when there is none, it failed, is outdated or of another session. */
export function takeEarly(url: string, token: string | undefined): Promise<Response | undefined> | undefined {
  const early = globalThis.tidelineEarly?.get(url)
  globalThis.tidelineEarly?.delete(url)
  if (!early || early.token !== token || performance.now() - early.askedMs > goodForMs) return undefined
  return early.response.catch(() => undefined)
}

/** Requests the addresses and returns the responses in their order. */
type Ask = (urls: readonly string[]) => Promise<Response>[]

/**
 * Sends the requests of a first visit before the app's code has arrived. It sends none when nobody is signed in, when the
 * session must be renewed first, or when the last answers are persisted, because then the screen needs no request.
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

/** Fetches and compiles modules that will be imported; `files` are addresses on this origin. */
export function loadAhead(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    document.head.append(link)
  }
}

/** Runs a module by its address on this origin. */
export function runModule(file: string): void {
  const script = document.createElement('script')
  script.type = 'module'
  script.crossOrigin = ''
  script.src = file
  document.head.append(script)
}
