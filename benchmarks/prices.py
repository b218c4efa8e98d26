"""What AWS asks for, and how long is waited for whom: the one place for every figure that the cost model believes.

List prices of us-east-1 in dollars, without taxes, rebates and what is free, looked up in 2026. ``where`` says where a
figure was read; "not verified" that it was found in no text of AWS's or about it, and rests on common knowledge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MILLION: Final = 1e6
HOURS: Final = 730.0
"""Hours of a month, as AWS reckons."""


@dataclass(frozen=True)
class Price:
    """Dollars for one unit."""

    dollars: float
    unit: str
    where: str


@dataclass(frozen=True)
class Wait:
    """Milliseconds that a run waits for one call, besides what its processor does meanwhile."""

    ms: float
    why: str


# --- prices ---------------------------------------------------------------------------------------

HTTP_API: Final = Price(1.00 / MILLION, "request", "API Gateway pricing, HTTP APIs, first 300 million")
RUN: Final = Price(0.20 / MILLION, "run", "Lambda pricing; cloudchipr.com/blog/aws-lambda-pricing")
GB_SECOND: Final = Price(0.0000133334, "GB-second on arm64", "the same, first 7.5 billion")
READ: Final = Price(0.125 / MILLION, "read unit", "DynamoDB pricing, on demand, since November 2024")
WRITE: Final = Price(0.625 / MILLION, "write unit", "the same")
STORAGE: Final = Price(0.25, "GB and month", "aws.amazon.com/dynamodb/pricing")
BACKUP: Final = Price(0.20, "GB and month", "DynamoDB pricing, point-in-time recovery; not verified")
SCHEDULE: Final = Price(1.00 / MILLION, "schedule that fires", "cloudburn.io/blog/amazon-eventbridge-pricing")
SQS: Final = Price(0.40 / MILLION, "request of up to 64 KB", "SQS pricing, standard queues; not verified")
KMS: Final = Price(0.03 / 10_000, "secret decrypted", "KMS pricing; not verified")
OUT: Final = Price(0.09, "GB to the internet", "EC2 and Lambda pricing; the same in Lightsail's FAQ of data transfer")
LOG: Final = Price(0.50, "GB taken in", "CloudWatch pricing, standard class; not verified")
ALARM: Final = Price(0.10, "alarm and month", "c3x.dev/blog/aws-cloudwatch-metrics-cost")
DASHBOARD: Final = Price(3.00, "dashboard and month", "the same")
METRIC: Final = Price(
    0.30 / HOURS,
    "metric and hour in which it is sent",
    "CloudWatch pricing: prorated by the hour, and metered only when metrics are sent",
)
FARGATE_CPU: Final = Price(0.03238, "vCPU and hour on arm64", "vantage.sh/blog/fargate-pricing")
FARGATE_GB: Final = Price(0.00356, "GB and hour on arm64", "the same")
IPV4: Final = Price(0.005, "public address and hour", "AWS networking blog: public IPv4 charge since February 2024")
BALANCER: Final = Price(0.0225, "load balancer and hour", "Elastic Load Balancing pricing; not verified")
MACHINE: Final = Price(5.00, "smallest Lightsail machine with an IPv4 address and month", "Lightsail's FAQ, billing")

# --- waits ----------------------------------------------------------------------------------------

TELEGRAM: Final = Wait(
    40, "from Frankfurt or Ireland to Telegram's servers in Amsterdam: 10 to 20 ms there and back, and their own time"
)
CONNECTION: Final = Wait(
    40,
    "a new connection is opened where the last call is five seconds ago, and one for each of the calls that are made "
    "at once: TCP and TLS, two ways there and back; those of one round are opened side by side",
)
TABLE: Final = Wait(5, "DynamoDB says single-digit milliseconds")
TRANSACTION: Final = Wait(15, "two phases instead of one; an estimate")
QUEUE: Final = Wait(10, "SQS says tens of milliseconds at the most from the same region")
SCHEDULER: Final = Wait(30, "nothing is promised; an estimate")
SECRETS: Final = Wait(20, "nothing is promised; an estimate")

# --- the function ---------------------------------------------------------------------------------

MEMORY_MB: Final = 512
"""What template.yaml gives it."""
WHOLE_CPU_MB: Final = 1769
"""With which a function has one processor (Lambda developer guide, "Configure Lambda function memory")."""
HANDSHAKE: Final = 0.0025
"""Seconds of such a processor for each connection to Telegram: what httpx's first call on one takes more than its
next, against a server on loopback with a chain of RSA keys of 2,048 bits, as Telegram's is (2.1 to 2.8 ms)."""
POLLERS: Final = 5
POLL_SECONDS: Final = 20
"""With how many requests at a time Lambda asks an empty queue, and how long each lasts (Lambda developer guide, "Using
Lambda with Amazon SQS")."""
