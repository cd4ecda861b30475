import { endsSoon, parseJson } from '../api/session/token-claims.ts'
import { askEarly } from './early-answers.ts'
import { answersKey, sessionKey } from '../api/storage-keys.ts'

/** Asks the addresses now, and answers the responses in their order. */
export type Ask = (urls: readonly string[]) => Promise<Response>[]

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
