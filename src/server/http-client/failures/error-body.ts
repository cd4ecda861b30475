export interface ErrorBody {
  code: string | undefined
  message: string
  /** What the service sends besides its message, or instead of one. */
  details: string | undefined
}

/**
 * Reads the error bodies that vendors use: `{code, message|details|detail}`, `{errors: [{code, message, details}]}` and
 * `{error, error_description}`. Of anything else, such as a gateway's HTML page, the message is the first 200 characters.
 */
export function parseErrorBody(text: string): ErrorBody {
  const body = parseObject(text)
  if (!body)
    return {
      code: undefined,
      message:
        text
          .replaceAll(/<[^>]*>|\s+/g, ' ')
          .trim()
          .slice(0, 200) || 'no body',
      details: undefined,
    }
  const errors = Array.isArray(body['errors']) ? body['errors'].map(asObject) : []
  const [first] = errors
  return {
    code: textOf(body['code']) ?? textOf(body['error']) ?? textOf(first?.['code']),
    message:
      textOf(body['message']) ??
      textOf(body['details']) ??
      textOf(body['detail']) ??
      textOf(body['error_description']) ??
      textOf(first?.['message']) ??
      text.slice(0, 200),
    details:
      textOf(body['details']) ??
      textOf(body['detail']) ??
      errors.map(error => textOf(error?.['details'])).find(details => details !== undefined),
  }
}

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
