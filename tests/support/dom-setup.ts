import { cleanup, configure } from '@testing-library/react'
import { beforeAll } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'
import { patienceMs } from './wait-until.ts'

configure({ asyncUtilTimeout: patienceMs })

// What a test does not answer itself is asked of nobody, also when the file it began in is over.
globalThis.fetch = () => Promise.reject(new TypeError('There is no network here.'))

// The files of this project share one page, which is what most of their time would go to; each finds it as if it were new.
beforeAll(() => {
  cleanup()
  queryClient.clear()
  for (const { id } of currentToasts()) dismissToast(id)
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.body.replaceChildren()
})
