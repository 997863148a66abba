import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endSignals } from '../../hangup.ts'
import { type Signal, Signals } from './signals.ts'

describe('signals of a run', () => {
  const exit = vi.spyOn(process, 'exit')
  let signals: Signals
  const heard: Signal[] = []
  const send = (signal: Signal) => process.emit(signal, signal)

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    exit.mockReset()
    exit.mockImplementation(() => undefined as never)
    heard.length = 0
    signals = new Signals(endSignals(true))
  })
  afterEach(() => {
    signals.close()
    vi.useRealTimers()
  })
  const listen = () => signals.listen((signal) => heard.push(signal))

  test('are told as they come once somebody listens; two that close are one', () => {
    listen()
    send('SIGINT')
    vi.advanceTimersByTime(600)
    send('SIGINT')
    expect(heard).toEqual(['SIGINT'])
    vi.advanceTimersByTime(200)
    send('SIGTERM')
    send('SIGHUP')
    expect(heard).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
    vi.advanceTimersByTime(60_000)
    expect(exit).not.toHaveBeenCalled()
  })

  test('that come before are kept: the first is told', () => {
    send('SIGTERM')
    vi.advanceTimersByTime(5000)
    expect(exit).not.toHaveBeenCalled()
    listen()
    expect(heard).toEqual(['SIGTERM'])
    vi.advanceTimersByTime(60_000)
    expect(exit).not.toHaveBeenCalled()
  })

  test('end a run that is not open yet by the second', () => {
    send('SIGINT')
    vi.advanceTimersByTime(800)
    send('SIGINT')
    expect(exit).toHaveBeenCalledExactlyOnceWith(130)
  })

  test('without a terminal a SIGHUP ends nothing', () => {
    signals.close()
    signals = new Signals(endSignals(false))
    listen()
    send('SIGHUP')
    expect(heard).toEqual([])
    send('SIGTERM')
    expect(heard).toEqual(['SIGTERM'])
  })

  test('end a run that hangs while it is opened', () => {
    send('SIGHUP')
    vi.advanceTimersByTime(9999)
    expect(exit).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(exit).toHaveBeenCalledExactlyOnceWith(130)
  })
})
