/*
 * families: well-known packages that give access to the same thing, as "ecosystem:name". A rule
 * that forbids one of them usually means all. A row: what it is, and its packages with blanks
 * between. The ecosystems are those of the table in family.c.
 */
/* clang-format off */
FAMILY("MySQL",
       "npm:mysql npm:mysql2 npm:mariadb pypi:PyMySQL pypi:mysqlclient pypi:mysql-connector-python "
       "pypi:aiomysql pypi:mariadb go:github.com/go-sql-driver/mysql cargo:mysql "
       "cargo:mysql_async gem:mysql2 maven:com.mysql:mysql-connector-j maven:mysql:mysql-connector-java "
       "maven:org.mariadb.jdbc:mariadb-java-client nuget:MySql.Data nuget:MySqlConnector")
FAMILY("PostgreSQL",
       "npm:pg npm:postgres npm:pg-promise pypi:psycopg2 pypi:psycopg2-binary pypi:psycopg "
       "pypi:asyncpg pypi:pg8000 go:github.com/lib/pq go:github.com/jackc/pgx "
       "go:github.com/jackc/pgx/v5 cargo:postgres cargo:tokio-postgres gem:pg "
       "maven:org.postgresql:postgresql nuget:Npgsql")
FAMILY("MongoDB",
       "npm:mongodb npm:mongoose pypi:pymongo pypi:motor pypi:mongoengine "
       "go:go.mongodb.org/mongo-driver cargo:mongodb gem:mongo gem:mongoid "
       "maven:org.mongodb:mongodb-driver-sync nuget:MongoDB.Driver")
FAMILY("Redis",
       "npm:redis npm:ioredis pypi:redis pypi:aioredis go:github.com/redis/go-redis/v9 "
       "go:github.com/go-redis/redis go:github.com/gomodule/redigo cargo:redis gem:redis "
       "maven:redis.clients:jedis maven:io.lettuce:lettuce-core nuget:StackExchange.Redis")
FAMILY("Oracle",
       "npm:oracledb pypi:oracledb pypi:cx_Oracle go:github.com/godror/godror "
       "go:github.com/sijms/go-ora/v2 gem:ruby-oci8 maven:com.oracle.database.jdbc:ojdbc11 "
       "maven:com.oracle.database.jdbc:ojdbc8 nuget:Oracle.ManagedDataAccess.Core")
FAMILY("SQL Server",
       "npm:mssql npm:tedious pypi:pymssql go:github.com/microsoft/go-mssqldb "
       "go:github.com/denisenkom/go-mssqldb cargo:tiberius gem:tiny_tds "
       "maven:com.microsoft.sqlserver:mssql-jdbc nuget:Microsoft.Data.SqlClient nuget:System.Data.SqlClient")
FAMILY("SQLite",
       "npm:sqlite3 npm:better-sqlite3 pypi:aiosqlite go:github.com/mattn/go-sqlite3 "
       "go:modernc.org/sqlite cargo:rusqlite gem:sqlite3 maven:org.xerial:sqlite-jdbc "
       "nuget:Microsoft.Data.Sqlite")
FAMILY("Kafka",
       "npm:kafkajs npm:node-rdkafka pypi:kafka-python pypi:confluent-kafka pypi:aiokafka "
       "go:github.com/segmentio/kafka-go go:github.com/confluentinc/confluent-kafka-go "
       "go:github.com/IBM/sarama go:github.com/Shopify/sarama cargo:rdkafka gem:ruby-kafka "
       "gem:rdkafka maven:org.apache.kafka:kafka-clients nuget:Confluent.Kafka")
FAMILY("RabbitMQ",
       "npm:amqplib pypi:pika pypi:aio-pika go:github.com/rabbitmq/amqp091-go "
       "go:github.com/streadway/amqp cargo:lapin gem:bunny maven:com.rabbitmq:amqp-client "
       "nuget:RabbitMQ.Client")
FAMILY("Elasticsearch",
       "npm:@elastic/elasticsearch npm:elasticsearch pypi:elasticsearch "
       "go:github.com/elastic/go-elasticsearch/v8 cargo:elasticsearch gem:elasticsearch "
       "maven:co.elastic.clients:elasticsearch-java nuget:Elastic.Clients.Elasticsearch nuget:NEST")
FAMILY("lodash", "npm:lodash npm:lodash-es npm:lodash.get npm:lodash.merge")
FAMILY("Moment.js", "npm:moment npm:moment-timezone")
FAMILY("request", "npm:request npm:request-promise npm:request-promise-native")
/* clang-format on */
