import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { parseJson } from '#client/api/session/token-claims.ts'
import { storedValue } from '#client/api/stored-value.ts'
import { readSharedLink } from '#shared/product-link.ts'

const mostShared = 20
const keptMs = 7 * 86_400_000
/** The longest text that is read: a page's title, a sentence and an address. */
export const MAX_SHARED = 2000

const sharedText = v.object({ text: v.string(), sharedAt: v.number(), isSeen: v.boolean() })
/** A text that was shared to the app or pasted here, as it waits on this device for a decision. */
export type SharedText = v.InferOutput<typeof sharedText>

const stored = storedValue('tideline.shared', text => {
  const parsed = v.safeParse(v.array(sharedText), parseJson(text))
  return parsed.success ? parsed.output : []
})
const isKept = ({ sharedAt }: SharedText): boolean => Date.now() - sharedAt < keptMs

function write(texts: readonly SharedText[]): void {
  try {
    stored.set(texts.length ? JSON.stringify(texts) : null)
  } catch {
    // Without room the text is only on the screen that it came from.
  }
}

// The same product, also when it was shared from another page of it.
function sameAs(text: string): (other: SharedText) => boolean {
  const link = readSharedLink(text)
  return other => {
    const otherLink = readSharedLink(other.text)
    if (link.found !== 'PRODUCT' || otherLink.found !== 'PRODUCT') return other.text === text
    return link.asin === otherLink.asin && link.marketplace?.id === otherLink.marketplace?.id
  }
}

/** Keeps a text on this device, also while nobody is signed in or there is no network; the newest first. */
export function keepShared(text: string): void {
  const short = text.slice(0, MAX_SHARED).toWellFormed()
  const isSame = sameAs(short)
  const others = stored.get().filter(one => isKept(one) && !isSame(one))
  write([{ text: short, sharedAt: Date.now(), isSeen: false }, ...others].slice(0, mostShared))
}

export const dropShared = ({ text }: SharedText): void => write(stored.get().filter(one => one.text !== text))
export const dropAllShared = (): void => write([])

/** Notes that the user has seen them: the next log-in does not lead to them. */
export function noteSharedSeen(): void {
  if (hasUnseenShared()) write(stored.get().map(one => ({ ...one, isSeen: true })))
}
export const hasUnseenShared = (): boolean => stored.get().some(one => isKept(one) && !one.isSeen)

/** What was shared and waits, the newest first. */
export function useShared(): SharedText[] {
  const all = useSyncExternalStore(listener => stored.subscribe(listener).unsubscribe, stored.get)
  return all.filter(isKept)
}
