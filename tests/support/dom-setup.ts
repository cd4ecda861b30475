import { configure } from '@testing-library/react'
import { patienceMs } from './wait-until.ts'

configure({ asyncUtilTimeout: patienceMs })

// A request that no test answers never leaves the process.
globalThis.fetch = () => Promise.reject(new TypeError('There is no network here.'))
