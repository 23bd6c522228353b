import type { Sample } from '../sample.ts'

/**
 * Receives webhooks on `PORT` and checks the Standard Webhooks headers with the secret `WEBHOOK_SECRET`, which begins
 * with `whsec_`. Answers 200 to a genuine delivery and 400 to any other request. The TypeScript and Python programs also
 * store each event once, and the newest status of each payment, in `shop.db`. PHP runs behind its own web server:
 * `php -S 127.0.0.1:$PORT receiver.php`.
 */
export const receive_webhooks: Sample = {
  typescript: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300
const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64')
if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.')

function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  if (!isRecent) return false
  const digest = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest('base64')
  const expected = Buffer.from(\`v1,\${digest}\`)
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
}

const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const db = new DatabaseSync('shop.db', { timeout: 5000 })
db.exec(\`CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT, sequence INTEGER)\`)
const insertEvent = db.prepare('INSERT OR IGNORE INTO events VALUES (?)')
const keepNewest = db.prepare(\`INSERT INTO payments VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET status = excluded.status, sequence = excluded.sequence WHERE excluded.sequence > payments.sequence\`)

/** Returns false if the event was stored before. */
function store({ id, data }: { id: string; data: Record<string, string> }, sequence: number): boolean {
  db.exec('BEGIN IMMEDIATE')
  try {
    const isNew = insertEvent.run(id).changes === 1
    if (isNew && data.resource === 'payment') keepNewest.run(data.id, data.status, sequence)
    db.exec('COMMIT')
    return isNew
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (!isGenuine(request.headers, body)) return response.writeHead(400).end()
    const event = JSON.parse(body.toString())
    const isNew = store(event, Number(request.headers['x-service-sequence']))
    // Process new events after the response.
    console.log(isNew ? 'received' : 'repeated', event.type, event.data.id)
    response.writeHead(200).end()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')`,

  python: `import base64
import hashlib
import hmac
import json
import os
import sqlite3
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
if not KEY:
    raise SystemExit("Set WEBHOOK_SECRET to the secret of the webhook.")


def is_genuine(headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


with closing(sqlite3.connect("shop.db")) as db:
    db.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)")
    db.execute("CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT, sequence INTEGER)")


def store(event, sequence):
    """Returns False if the event was stored before. Each thread has its own connection."""
    data = event["data"]
    with closing(sqlite3.connect("shop.db")) as db, db:
        is_new = db.execute("INSERT OR IGNORE INTO events VALUES (?)", [event["id"]]).rowcount == 1
        if is_new and data["resource"] == "payment":
            db.execute(
                """INSERT INTO payments VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
                SET status = excluded.status, sequence = excluded.sequence WHERE excluded.sequence > payments.sequence""",
                [data["id"], data["status"], sequence],
            )
        return is_new


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(400)
        event = json.loads(body)
        is_new = store(event, int(self.headers["X-Service-Sequence"]))
        # Process new events after the response.
        print("received" if is_new else "repeated", event["type"], event["data"]["id"], flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()`,

  go: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

func isGenuine(key []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the webhook.")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !isGenuine(key, r.Header, body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct {
			Type string
			Data struct{ ID string }
		}
		if err := json.Unmarshal(body, &event); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the event here, and process it after the response.
		fmt.Println("received", event.Type, event.Data.ID)
		w.WriteHeader(http.StatusOK)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}`,

  php: `<?php
// Start it with: php -S 127.0.0.1:$PORT receiver.php

const TOLERANCE_SECONDS = 300;

function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $digest = hash_hmac('sha256', $id . '.' . $timestamp . '.' . $body, $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$secret = (string) getenv('WEBHOOK_SECRET');
$key = base64_decode(str_replace('whsec_', '', $secret), true);
if ($key === false || $key === '') {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET to the secret of the webhook.');
}
$body = file_get_contents('php://input');
if (!is_genuine($key, $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// Store the event here, and process it after the response.
error_log('received ' . $event['type'] . ' ' . $event['data']['id']);
http_response_code(200);`,

  ruby: String.raw`require 'json'
require 'openssl'
require 'socket'

TOLERANCE_SECONDS = 300
KEY = ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m')
abort 'Set WEBHOOK_SECRET to the secret of the webhook.' if KEY.empty?

def genuine?(headers, body)
  timestamp = headers['webhook-timestamp'].to_s
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

  signed = "#{headers['webhook-id']}.#{timestamp}.".b + body.b
  digest = OpenSSL::HMAC.digest('SHA256', KEY, signed)
  expected = "v1,#{[digest].pack('m0')}"
  signatures = headers['webhook-signature'].to_s.split(' ')
  signatures.any? { |signature| OpenSSL.secure_compare(signature, expected) }
end

# A server without a framework. In Rails, use request.headers and request.raw_post.
server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT')))
loop do
  Thread.new(server.accept) do |client|
    client.gets
    headers = {}
    until (line = client.gets.to_s.b.strip).empty?
      name, value = line.split(':', 2)
      headers[name.downcase] = value.to_s.strip
    end
    body = client.read(headers['content-length'].to_i)
    status = '400 Bad Request'
    if genuine?(headers, body)
      event = JSON.parse(body)
      # Store the event here, and process it after the response.
      $stdout.write("received #{event['type']} #{event['data']['id']}\n")
      $stdout.flush
      status = '200 OK'
    end
    client.write("HTTP/1.1 #{status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  ensure
    client.close
  end
end`,
}
