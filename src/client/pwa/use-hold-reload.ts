import { useEffect } from 'react'
import { holdReload } from './can-reload-now.ts'

/** Forbids a reload while `held`: for screens with input that is not saved yet. */
export const useHoldReload = (held: boolean): void => {
  useEffect(() => (held ? holdReload() : undefined), [held])
}
