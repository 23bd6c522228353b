import type { Sample } from '../sample.ts'

/**
 * Receives webhooks on `PORT` and checks `X-Service-Signature` with the secret `WEBHOOK_SECRET`. Answers 200 to a
 * genuine delivery and 400 to any other request.
 */
export const receive_webhooks_by_body: Sample = {
  typescript: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.')

function isGenuine(signature: string, body: Buffer): boolean {
  const expected = Buffer.from(createHmac('sha256', secret!).update(body).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const signature = String(request.headers['x-service-signature'])
    if (!isGenuine(signature, body)) return response.writeHead(400).end()
    const event = JSON.parse(body.toString())
    console.log('received', event.type, event.data.id)
    response.writeHead(200).end()
  })
}).listen(Number(process.env.PORT), '127.0.0.1')`,

  python: `import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
if not SECRET:
    raise SystemExit("Set WEBHOOK_SECRET to the secret of the webhook.")


def is_genuine(signature, body):
    expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature.encode(), expected.encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers.get("X-Service-Signature", ""), body):
            return self.answer(400)
        event = json.loads(body)
        print("received", event["type"], event["data"]["id"], flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()`,

  go: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func isGenuine(secret []byte, signature string, body []byte) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hmac.Equal([]byte(signature), []byte(hex.EncodeToString(mac.Sum(nil))))
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the secret of the webhook.")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !isGenuine(secret, r.Header.Get("X-Service-Signature"), body) {
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
		fmt.Println("received", event.Type, event.Data.ID)
		w.WriteHeader(http.StatusOK)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}`,

  php: `<?php
// Start it with: php -S 127.0.0.1:$PORT receiver.php

$secret = (string) getenv('WEBHOOK_SECRET');
if ($secret === '') {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET to the secret of the webhook.');
}
$body = file_get_contents('php://input');
$expected = hash_hmac('sha256', $body, $secret);
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
error_log('received ' . $event['type'] . ' ' . $event['data']['id']);
http_response_code(200);`,

  ruby: String.raw`require 'json'
require 'openssl'
require 'socket'

SECRET = ENV.fetch('WEBHOOK_SECRET')
abort 'Set WEBHOOK_SECRET to the secret of the webhook.' if SECRET.empty?

def genuine?(signature, body)
  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, body)
  OpenSSL.secure_compare(signature, expected)
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
    if genuine?(headers['x-service-signature'].to_s, body)
      event = JSON.parse(body)
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
