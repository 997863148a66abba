import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A port of 127.0.0.1 that takes its time to accept: its queue is full, so that Linux drops what comes until the server takes one out. */
export interface SlowPort extends AsyncDisposable {
  readonly port: number
  /** Lets it accept; whoever is waiting is in about a second after its first try. */
  accept(): void
}

const SERVER = `import socket, sys
listener = socket.socket()
listener.bind(('127.0.0.1', 0))
listener.listen(0)
print(listener.getsockname()[1], flush=True)
sys.stdin.readline()
while True:
    connection, _ = listener.accept()
    head = connection.recv(65536)
    if head: connection.sendall(b'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nok')
    connection.close()
`

export async function openSlowPort(): Promise<SlowPort> {
  const child: ChildProcess = spawn('python3', ['-c', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const port = Number(line)
  const fillers = await fill(port)
  return {
    port,
    accept: () => {
      for (const filler of fillers) filler.destroy()
      child.stdin?.write('\n')
    },
    [Symbol.asyncDispose]: async () => {
      for (const filler of fillers) filler.destroy()
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

/** Connects until nothing is taken any more. */
async function fill(port: number): Promise<Socket[]> {
  const fillers: Socket[] = []
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    fillers.push(socket)
    const isIn = await Promise.race([once(socket, 'connect').then(() => true), wait(200, false)])
    if (!isIn) {
      socket.destroy()
      return fillers
    }
  }
}
