/** One message of a server-sent stream. */
export interface ServerEvent {
  event: string
  data: string
  id: string | undefined
}

/** Cuts a stream of text into its events, by the rules of the HTML standard (server-sent events). */
export const createEventParser = (onEvent: (event: ServerEvent) => void) => {
  let rest = ''
  let event = ''
  let data: string[] = []
  let id: string | undefined
  const line = (text: string): void => {
    if (text === '') {
      if (data.length) onEvent({ event: event || 'message', data: data.join('\n'), id })
      event = ''
      data = []
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') id = value
  }
  return (chunk: string): void => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    lines.forEach(line)
  }
}
