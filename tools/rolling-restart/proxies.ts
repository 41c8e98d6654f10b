import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../workspace.ts'

/** Returns the configuration of `deploy/haproxy` with other addresses. */
export const haproxyConfig = (port: number, servers: readonly number[]): string => {
  const text = readFileSync(join(repository, 'deploy', 'haproxy', 'haproxy.cfg'), 'utf8')
  const [first] = /^ {2}server /m.exec(text) === null ? [text] : text.split(/^ {2}server /m)
  const lines = servers.map((server, index) => `  server server${index} 127.0.0.1:${server}`)
  return `${first?.replace('bind :4000', `bind 127.0.0.1:${port}`) ?? ''}${lines.join('\n')}\n`
}

/** Returns a configuration of nginx with the upstream of `docs/operations/monitoring.md`. */
const nginxConfig = (directory: string, port: number, servers: readonly number[]): string => `
daemon off; worker_processes 1; worker_rlimit_nofile 20000; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log warn;
events { worker_connections 8192; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  upstream countersign { ${servers.map((server) => `server 127.0.0.1:${server} max_fails=0;`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://countersign; proxy_set_header X-Forwarded-For $remote_addr; }
  }
}
`

/** The proxies that can be tried. */
export const proxies = {
  haproxy: (directory: string, port: number, servers: readonly number[]): ChildProcess => {
    const file = join(directory, 'haproxy.cfg')
    writeFileSync(file, haproxyConfig(port, servers))
    return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  },
  nginx: (directory: string, port: number, servers: readonly number[]): ChildProcess => {
    const file = join(directory, 'nginx.conf')
    writeFileSync(file, nginxConfig(directory, port, servers))
    return spawn('nginx', ['-e', 'stderr', '-p', directory, '-c', file], { stdio: 'ignore' })
  },
}
