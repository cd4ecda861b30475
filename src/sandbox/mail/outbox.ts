import type { World } from '../core/world.ts'

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

// The whole outbox is written to disk with every message, so it must stay small.
const MAX_LETTERS = 100

const decode = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x3D;', '=')

/** Addresses that a message shows, in its HTML or in its text. */
function linksIn(text: string, html: string): string[] {
  const inHtml = [...html.matchAll(/href\s*=\s*["']([^"']+)["']/gi)].map(match => decode(match[1] ?? ''))
  const inText = [...text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)].map(match => match[0].replace(/[.,;]$/, ''))
  return [...new Set([...inHtml, ...inText])].filter(link => /^https?:\/\//.test(link))
}

/** Everything that was sent, newest first. It survives a restart, and a reset empties it. */
class Outbox {
  letters: Letter[] = []
  private readonly world: World

  constructor(world: World) {
    this.world = world
    world.registerState<Letter[]>('mail', {
      dump: () => this.letters,
      restore: letters => void (this.letters = letters),
      reset: () => void (this.letters = []),
    })
  }

  add(letter: Omit<Letter, 'id' | 'links' | 'at'>): void {
    const id = (this.letters[0]?.id ?? 0) + 1
    const at = this.world.clock.now().toISOString()
    const added = { ...letter, id, links: linksIn(letter.text, letter.html), at }
    this.letters = [added, ...this.letters].slice(0, MAX_LETTERS)
    this.world.saveState('mail')
  }

  clear(): void {
    this.letters = []
    this.world.saveState('mail')
  }
}

// The mail server and the pages of one world share its outbox.
const outboxes = new WeakMap<World, Outbox>()

/** The outbox of a world, empty on first use. */
export function outboxOf(world: World): Outbox {
  const outbox = outboxes.get(world) ?? new Outbox(world)
  outboxes.set(world, outbox)
  return outbox
}
