/**
 * Stands in for React in the program that draws the first screen before the app's code has arrived (see build/early-script.ts).
 * It draws components once, as HTML: hooks return their first values, effects and events do nothing, and a lazy part shows
 * what its Suspense shows meanwhile. React's own renderer would be more bytes than all the rest of that program.
 */
type Props = Record<string, unknown>
interface Context {
  current: unknown
}
type Type = string | symbol | Context | ((props: Props) => unknown)
interface Drawn {
  type: Type
  props: Props
}

export const Fragment = Symbol('fragment')
export const Suspense = Symbol('suspense')

export const jsx = (type: Type, props: Props): Drawn => ({ type, props })
export { jsx as jsxs, jsx as jsxDEV }
export const createElement = (type: Type, props: Props | null, ...children: unknown[]): Drawn =>
  jsx(type, { ...props, children })

const nothing = (): void => undefined
const firstOf = (initial: unknown): unknown => (typeof initial === 'function' ? (initial as () => unknown)() : initial)
export const useState = (initial?: unknown): [unknown, typeof nothing] => [firstOf(initial), nothing]
export const useRef = (current: unknown = null): Context => ({ current })
export const useMemo = (make: () => unknown): unknown => make()
export const useCallback = <F>(callback: F): F => callback
export const useSyncExternalStore = (_subscribe: unknown, read: () => unknown): unknown => read()
export { nothing as useEffect, nothing as useLayoutEffect, nothing as useEffectEvent }

export const createContext = (value: unknown): Context => ({ current: value })
export const useContext = ({ current }: Context): unknown => current

const untilLoaded = new Error('A lazy part is not drawn here.')
export const lazy = (): (() => never) => () => {
  throw untilLoaded
}

/** The HTML of an element, with what is in it. Throws for a lazy part outside Suspense, and for a style object. */
export function toHtml(node: unknown): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(toHtml).join('')
  if (typeof node === 'string' || typeof node === 'number') return escaped(String(node))
  const { type, props } = node as Drawn
  if (typeof type === 'string') return elementHtml(type, props)
  if (typeof type === 'function') return toHtml(type(props))
  if (type === Suspense) return suspended(props)
  if (typeof type === 'object') return within(type, props.value, () => toHtml(props.children))
  return toHtml(props.children)
}

function suspended({ children, fallback }: Props): string {
  try {
    return toHtml(children)
  } catch (error) {
    if (error !== untilLoaded) throw error
    return toHtml(fallback)
  }
}

function within(context: Context, value: unknown, draw: () => string): string {
  const outside = context.current
  context.current = value
  try {
    return draw()
  } finally {
    context.current = outside
  }
}

// As in React, the value of a choice stands on the choice and not on the option.
const choice = createContext(undefined)
const withoutEnd = new Set(['br', 'hr', 'img', 'input'])

function elementHtml(tag: string, { children, dangerouslySetInnerHTML: inner, ...attributes }: Props): string {
  const content = (): string => (inner ? (inner as { __html: string }).__html : toHtml(children))
  const { value, ...others } = attributes
  const chosen = tag === 'option' && String(value) === choice.current
  const shown = Object.entries(tag === 'select' ? others : { ...attributes, ...(chosen && { selected: true }) })
  const opened = `<${tag}${shown.map(attributeHtml).join('')}>`
  if (withoutEnd.has(tag)) return opened
  return `${opened}${tag === 'select' ? within(choice, value, content) : content()}</${tag}>`
}

const attributeNames: Record<string, string> = {
  className: 'class',
  htmlFor: 'for',
  vectorEffect: 'vector-effect',
}

function attributeHtml([name, value]: [string, unknown]): string {
  if (value === null || value === undefined || name === 'ref' || name === 'key' || /^on[A-Z]/.test(name)) return ''
  const isWord = /^(aria|data)-/.test(name)
  if (value === false && !isWord) return ''
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Error(`${name} is not drawn here.`)
  return ` ${attributeNames[name] ?? name}="${value === true && !isWord ? '' : escaped(String(value))}"`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
