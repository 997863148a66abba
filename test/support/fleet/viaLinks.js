// Loaded before a host of a fleet: what it connects to goes by the links of that host, though its config names the places themselves.

import { Socket } from 'node:net'

const ways = new Map(Object.entries(JSON.parse(process.env.FAILOVER_LINKS ?? '{}')))
const { connect } = Socket.prototype

Socket.prototype.connect = function connectByLink(...args) {
  const [first, ...rest] = args
  const options = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object' && options !== null) {
    const port = ways.get(String(options.port))
    if (port !== undefined) options.port = port
  } else {
    const port = ways.get(String(first))
    if (port !== undefined) return Reflect.apply(connect, this, [port, ...rest])
  }
  return Reflect.apply(connect, this, args)
}
