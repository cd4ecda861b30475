/** A message as the mail server received it. */
export interface Letter {
  id: number
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  /** Addresses in the message, each once, in order. */
  links: string[]
  /** World time, ISO. */
  at: string
}

/** Everything that was sent, newest first. */
export interface Outbox {
  add(letter: Omit<Letter, 'id' | 'links'>): Letter
  list(): Letter[]
  find(id: number): Letter | undefined
  clear(): void
  /** Plain JSON of it, and back. */
  dump(): Letter[]
  restore(letters: Letter[]): void
}

// The whole outbox is written to disk with every message, so it must stay small.
const MAX_LETTERS = 100

const decode = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x3D;', '=')

/** Addresses that a message shows, in its HTML or in its text. */
export function linksIn(text: string, html: string): string[] {
  const inHtml = [...html.matchAll(/href\s*=\s*["']([^"']+)["']/gi)].map(match => decode(match[1] ?? ''))
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)].map(match => match[0].replace(/[.,;]$/, ''))
  return [...new Set([...inHtml, ...inText])].filter(link => /^https?:\/\//.test(link))
}

export function createOutbox(): Outbox {
  let letters: Letter[] = []
  return {
    add(letter) {
      const added = { ...letter, id: (letters[0]?.id ?? 0) + 1, links: linksIn(letter.text, letter.html) }
      letters = [added, ...letters].slice(0, MAX_LETTERS)
      return added
    },
    list: () => letters,
    find: id => letters.find(letter => letter.id === id),
    clear() {
      letters = []
    },
    dump: () => letters,
    restore(stored) {
      letters = [...stored]
    },
  }
}

// The mail server and the pages of one world share its outbox.
const outboxes = new WeakMap<object, Outbox>()

/** The outbox of a world, empty on first use. */
export function outboxOf(world: object): Outbox {
  let outbox = outboxes.get(world)
  if (!outbox) outboxes.set(world, (outbox = createOutbox()))
  return outbox
}
