const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback

const home = '/home'

/** A button of a notification, with the token by which it is carried out. */
export interface PushButton {
  action: string
  title: string
  token: string
}

/**
 * Reads a push: a declarative one, whose address counts below our own origin only, or one of plain members. Every push
 * must show something, so whatever arrives becomes a notification.
 */
export function readPush(json: () => unknown) {
  let data: Record<string, unknown> = {}
  try {
    data = membersOf(json())
  } catch {
    // Not ours; the notification below still says that something happened.
  }
  const { navigate, ...declared } = membersOf(data.notification)
  const said: Record<string, unknown> = { ...data, ...declared }
  return {
    title: text(said.title, 'Tideline'),
    body: text(said.body, ''),
    tag: text(said.tag, 'tideline'),
    url: ownPath(navigate === undefined ? text(said.url, home) : pathOf(text(navigate, home))),
    badge: typeof data.app_badge === 'number' ? data.app_badge : undefined,
    isLoud: said.renotify === true,
    buttons: buttonsOf(said),
  }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  value && typeof value === 'object' ? (value as Record<string, unknown>) : {}

function buttonsOf({ actions, data }: Record<string, unknown>): PushButton[] {
  const tokens = membersOf(membersOf(data).tokens)
  const declared: unknown[] = Array.isArray(actions) ? actions : []
  return declared.flatMap(one => {
    const { action, title } = membersOf(one)
    const token = typeof action === 'string' ? tokens[action] : undefined
    return typeof action === 'string' && typeof title === 'string' && typeof token === 'string'
      ? [{ action, title, token }]
      : []
  })
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

/** Keeps an address inside the app: a push must not lead elsewhere. */
export const ownPath = (url: string): string => (/^\/(?![/\\])/.test(url) ? url : home)
